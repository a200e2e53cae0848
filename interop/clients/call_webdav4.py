"""All operations of webdav4's client and of its file system for fsspec, against the server."""

import io
import os
import tempfile

from steps import pause, step
from webdav4.client import Client, ResourceAlreadyExists, ResourceNotFound
from webdav4.fsspec import WebdavFileSystem

URL, USER, SECRET = (os.environ[name] for name in ("DAV_URL", "DAV_USER", "DAV_SECRET"))
LARGE = b"feather " * (1024 * 1024)

client = Client(URL, auth=(USER, SECRET), timeout=60)
files = WebdavFileSystem(URL, auth=(USER, SECRET), timeout=60)

step("exists of what is not there, mkdir")
assert not client.exists("nest")
client.mkdir("nest")
assert client.exists("nest") and client.isdir("nest")
try:
    client.mkdir("nest")
    raise AssertionError("a folder was made twice")
except ResourceAlreadyExists:
    pass

step("upload_fileobj, upload_file")
client.upload_fileobj(io.BytesIO(b"a blue feather"), "nest/small 🐦.txt")
with tempfile.NamedTemporaryFile() as local:
    local.write(LARGE)
    local.flush()
    client.upload_file(local.name, "nest/large.bin")

step("exists, isfile, content_length, etag, modified, content_type, info of a file")
path = "nest/small 🐦.txt"
assert client.exists(path) and client.isfile(path) and not client.isdir(path)
assert client.content_length(path) == 14
assert client.etag(path)
assert client.modified(path) is not None and client.created(path) is not None
assert client.info(path)["content_length"] == 14

step("ls")
assert sorted(client.ls("nest", detail=False)) == ["nest/large.bin", path]

step("open to read, download_fileobj")
with client.open(path) as file:
    assert file.read() == "a blue feather"
with client.open("nest/large.bin", "rb") as file:
    file.seek(8 * 1000)
    assert file.read(16) == b"feather feather "
got = io.BytesIO()
client.download_fileobj("nest/large.bin", got)
assert got.getvalue() == LARGE

step("copy, move, replace")
client.copy(path, "nest/copied.txt")
client.move("nest/copied.txt", "moved.txt")
assert client.exists("moved.txt") and not client.exists("nest/copied.txt")
client.upload_fileobj(io.BytesIO(b"green"), "moved.txt", overwrite=True)
assert client.content_length("moved.txt") == 5

pause()

step("client after a pause")
assert client.exists("moved.txt") and client.isdir("nest")

step("fsspec: ls, info, cat, exists, checksum")
assert sorted(files.ls("nest", detail=False)) == ["nest/large.bin", path]
assert files.info(path)["size"] == 14 and files.size(path) == 14
assert files.cat(path) == b"a blue feather"
assert files.exists(path) and files.isfile(path) and not files.exists("nowhere")
assert files.checksum(path) == files.checksum(path)
assert files.modified(path) is not None

step("fsspec: open to write and read, pipe, ranges")
with files.open("nest/written.txt", "wb") as file:
    file.write(b"one ")
    file.write(b"two")
assert files.cat_file("nest/written.txt") == b"one two"
files.pipe("nest/piped.bin", b"0123456789")
assert files.cat_file("nest/piped.bin", start=2, end=5) == b"234"

step("fsspec: walk, find, du, glob")
assert [each[0] for each in files.walk("nest")] == ["nest"]
assert sorted(files.find("nest")) == ["nest/large.bin", "nest/piped.bin", path, "nest/written.txt"]
assert files.du("nest") == len(LARGE) + 14 + 7 + 10
assert files.glob("nest/*.bin") == ["nest/large.bin", "nest/piped.bin"]

step("fsspec: put, get")
with tempfile.TemporaryDirectory() as folder:
    os.makedirs(f"{folder}/tree/deep")
    with open(f"{folder}/tree/deep/egg.txt", "w") as file:
        file.write("an egg")
    files.put(f"{folder}/tree", "tree", recursive=True)
    assert files.cat("tree/deep/egg.txt") == b"an egg"
    files.get("tree", f"{folder}/back", recursive=True)
    with open(f"{folder}/back/deep/egg.txt") as file:
        assert file.read() == "an egg"

step("fsspec: makedirs, cp, mv, rm")
files.makedirs("a/b/c")
assert files.isdir("a/b/c")
files.cp("moved.txt", "a/b/copied.txt")
files.mv("a/b/copied.txt", "a/b/renamed.txt")
assert files.cat("a/b/renamed.txt") == b"green"
files.rm("a", recursive=True)
assert not files.exists("a")

step("remove")
client.remove("nest")
try:
    client.info("nest")
    raise AssertionError("what was removed is still there")
except ResourceNotFound:
    pass
