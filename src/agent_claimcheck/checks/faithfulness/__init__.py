"""The faithfulness check: does the final answer say what the tools returned?"""
