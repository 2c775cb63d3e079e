import importlib
for m in('h1','h2','k2','h3'): importlib.import_module(m)
