"""Uploads with Alibaba's SDK: with both of its signature versions, in one request and in parts."""

import json
import os
import tempfile

import oss2
from oss2.credentials import StaticCredentialsProvider
from steps import pause, step

TICKETS = json.loads(os.environ["TICKETS"])
PART = 2 * 1024 * 1024


def content(ticket):
    name, size = ticket["name"].encode(), ticket["size"]
    return (name * (size // len(name) + 1))[:size]


def bucket(ticket):
    keys = (ticket["access_key_id"], ticket["access_key_secret"], ticket["security_token"])
    endpoint = f"http://{ticket['endpoint']}"
    if ticket["name"].endswith("v4"):
        auth = oss2.ProviderAuthV4(StaticCredentialsProvider(*keys))
        return oss2.Bucket(auth, endpoint, ticket["bucket"], region="anywhere")
    return oss2.Bucket(oss2.StsAuth(*keys), endpoint, ticket["bucket"])


for name in ("put-v1", "put-v4"):
    step(f"put_object ({name})")
    ticket = TICKETS[name]
    result = bucket(ticket).put_object(ticket["key"], content(ticket))
    assert result.status == 200 and result.etag and result.request_id, vars(result)

step("put_object of a stream")
ticket = TICKETS["stream-v1"]
with tempfile.TemporaryFile() as file:
    file.write(content(ticket))
    file.seek(0)
    assert bucket(ticket).put_object(ticket["key"], file).status == 200

for name in ("resumable-v1", "resumable-v4"):
    step(f"resumable_upload ({name})")
    ticket = TICKETS[name]
    with tempfile.NamedTemporaryFile() as file, tempfile.TemporaryDirectory() as checkpoints:
        file.write(content(ticket))
        file.flush()
        oss2.resumable_upload(
            bucket(ticket),
            ticket["key"],
            file.name,
            store=oss2.ResumableStore(root=checkpoints),
            multipart_threshold=PART,
            part_size=PART,
            num_threads=3,
        )

begun = {}
for name in ("parts-v1", "parts-v4"):
    step(f"init_multipart_upload, upload_part ({name})")
    ticket = TICKETS[name]
    upload = bucket(ticket).init_multipart_upload(ticket["key"]).upload_id
    first = bucket(ticket).upload_part(ticket["key"], upload, 1, content(ticket)[:PART])
    begun[name] = (upload, [oss2.models.PartInfo(1, first.etag)])

pause()

for name, (upload, parts) in begun.items():
    step(f"upload_part, list_parts, complete_multipart_upload after the pause ({name})")
    ticket = TICKETS[name]
    at = bucket(ticket)
    for number in (2, 3):
        piece = content(ticket)[(number - 1) * PART : number * PART]
        parts.append(oss2.models.PartInfo(number, at.upload_part(ticket["key"], upload, number, piece).etag))
    listed = [part.part_number for part in at.list_parts(ticket["key"], upload).parts]
    assert listed == [1, 2, 3], listed
    assert at.complete_multipart_upload(ticket["key"], upload, parts).status == 200

step("abort_multipart_upload")
ticket = TICKETS["aborted-v1"]
at = bucket(ticket)
upload = at.init_multipart_upload(ticket["key"]).upload_id
assert at.abort_multipart_upload(ticket["key"], upload).status == 204

step("refusals name their code and request")
ticket = TICKETS["put-v1"]
for wrong in ({"access_key_secret": "wrong"}, {"security_token": "wrong"}):
    try:
        bucket({**ticket, **wrong}).put_object(ticket["key"], b"x")
        raise AssertionError("a wrong signature was taken")
    except oss2.exceptions.ServerError as refusal:
        assert refusal.status == 403 and refusal.code and refusal.request_id, vars(refusal)
