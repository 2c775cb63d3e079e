"""Rule packs: ``load`` turns YAML into the records of ``language`` or names every fault, ``select`` picks those that apply."""
