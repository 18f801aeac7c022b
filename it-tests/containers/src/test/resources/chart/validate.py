"""validate.py FILE VERSION...: checks the objects of the file against the schemas of these versions of Kubernetes."""
import sys

import kubernetes_validate
import yaml

file, versions = sys.argv[1], sys.argv[2:]
with open(file, encoding="utf-8") as text:
    objects = [each for each in yaml.safe_load_all(text) if each]
failed = 0
for each in objects:
    where = f"{each['kind']}/{each['metadata']['name']}"
    if each["apiVersion"].startswith("monitoring.coreos.com/"):
        continue  # not a kind of Kubernetes itself
    for version in versions:
        try:
            kubernetes_validate.validate(each, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            failed += 1
            print(f"{where} with {version}: {'.'.join(map(str, error.path))}: {error.message}")
print(f"{len(objects)} objects, {failed} failures")
sys.exit(failed > 0 or not objects)
