"""Every call of the unmodified PikPakAPI, against the server behind the proxy."""

import asyncio
import os

from pikpakapi import PikPakApi
from pikpakapi.enums import DownloadStatus
from pikpakapi.PikpakException import PikpakException

from steps import pause, step

PROXY, AUTHORITY, SOURCE = (os.environ[name] for name in ("PROXY", "AUTHORITY", "SOURCE"))


def client(name):
    return PikPakApi(
        username=os.environ[f"{name}_NAME"],
        password=os.environ[f"{name}_PASSWORD"],
        httpx_client_args={"proxy": PROXY, "verify": AUTHORITY, "timeout": 30},
        request_initial_backoff=0.2,
    )


async def until(ask, is_so, what):
    for _ in range(150):
        found = await ask()
        if is_so(found):
            return found
        await asyncio.sleep(0.2)
    raise AssertionError(f"{what} did not appear: {found}")


async def main():
    step("login")
    wrong = PikPakApi(
        username=os.environ["ANN_NAME"],
        password="not the password",
        httpx_client_args={"proxy": PROXY, "verify": AUTHORITY},
    )
    try:
        await wrong.login()
        raise AssertionError("a wrong password signed in")
    except PikpakException as refusal:
        assert str(refusal) == "Invalid username or password", refusal
    ann = client("ANN")
    await ann.login()
    assert ann.access_token and ann.refresh_token and ann.user_id
    bob = client("BOB")
    await bob.login()

    step("refresh_access_token, and a token that is no good any more")
    before = ann.refresh_token
    await ann.refresh_access_token()
    assert ann.refresh_token != before
    ann.access_token = "nonsense"
    assert "files" in await ann.file_list()
    assert ann.access_token != "nonsense"

    step("create_folder, path_to_id, file_list")
    made = await ann.create_folder(name="collected")
    folder = made["file"]["id"]
    assert made["file"]["kind"] == "drive#folder"
    chain = await ann.path_to_id("/collected/deep/deeper", create=True)
    assert [each["name"] for each in chain] == ["collected", "deep", "deeper"], chain
    listed = await ann.file_list(parent_id=folder)
    assert [each["name"] for each in listed["files"]] == ["deep"], listed
    assert (await ann.file_list(size=1))["files"][0]["name"] == "collected"

    step("offline_download, offline_list, offline_file_info, get_task_status")
    made = await ann.offline_download(f"{SOURCE}/feather.bin", parent_id=folder)
    task, feather = made["task"]["id"], made["task"]["file_id"]
    status = await until(
        lambda: ann.get_task_status(task, feather),
        lambda found: found not in (DownloadStatus.downloading, DownloadStatus.not_downloading),
        "the end of the task",
    )
    assert status == DownloadStatus.done, status
    done = await ann.offline_list(phase=["PHASE_TYPE_COMPLETE"])
    assert [each["id"] for each in done["tasks"]] == [task], (status, done)
    assert done["tasks"][0]["file_id"] == feather, done
    assert (await ann.offline_file_info(feather))["name"] == "feather.bin"

    step("offline_task_retry, delete_tasks")
    made = await ann.offline_download(f"{SOURCE}/missing.bin", name="missing")
    lost = made["task"]["id"]
    await until(
        lambda: ann.offline_list(phase=["PHASE_TYPE_ERROR"]),
        lambda found: [each["id"] for each in found["tasks"]] == [lost],
        "the failure of the task",
    )
    await ann.offline_task_retry(lost)
    await until(
        lambda: ann.offline_list(phase=["PHASE_TYPE_ERROR"]),
        lambda found: [each["id"] for each in found["tasks"]] == [lost],
        "the second failure of the task",
    )
    await ann.delete_tasks([lost, task], delete_files=False)
    assert (await ann.offline_list(phase=["PHASE_TYPE_COMPLETE", "PHASE_TYPE_ERROR"]))["tasks"] == []

    step("get_download_url")
    got = await ann.get_download_url(feather)
    content = await ann.httpx_client.get(got["web_content_link"])
    assert content.status_code == 200 and len(content.content) == int(got["size"])

    step("file_batch_copy, file_batch_move, file_rename, file_move_or_copy_by_path")
    await ann.file_batch_copy([feather])
    copied = [each for each in (await ann.file_list())["files"] if each["kind"] == "drive#file"]
    assert [each["name"] for each in copied] == ["feather.bin"], copied
    await ann.file_batch_move([copied[0]["id"]], to_parent_id=chain[1]["id"])
    assert (await ann.file_list(parent_id=chain[1]["id"]))["files"][0]["name"] in ("deeper", "feather.bin")
    renamed = await ann.file_rename(feather, "blue feather.bin")
    assert renamed["name"] == "blue feather.bin" and isinstance(renamed["links"], dict)
    await ann.file_move_or_copy_by_path(["/collected/blue feather.bin"], "/", move=False)
    await ann.file_move_or_copy_by_path(["/collected/deep/feather.bin"], "/", move=True)
    names = sorted(each["name"] for each in (await ann.file_list())["files"])
    assert names == ["My Pack", "blue feather.bin", "collected", "feather.bin"], names

    step("file_batch_star, file_star_list, file_batch_unstar")
    await ann.file_batch_star([feather, folder])
    starred = await ann.file_star_list()
    assert {each["id"] for each in starred["files"]} == {feather, folder}, starred
    await ann.file_batch_unstar([folder])
    assert [each["id"] for each in (await ann.file_star_list())["files"]] == [feather]

    step("events")
    happened = await ann.events()
    assert "feather.bin" in [each["file_name"] for each in happened["events"]] or happened["events"], happened

    step("file_batch_share, get_share_info, get_share_folder, restore")
    locked = await ann.file_batch_share([folder], need_password=True, expiration_days=7)
    assert locked["pass_code"] and locked["share_url"].endswith(locked["share_id"])
    shut = await bob.get_share_info(locked["share_url"])
    assert shut["share_status"] == "PASS_CODE_EMPTY" and shut["files"] == [], shut
    seen = await bob.get_share_info(locked["share_url"], locked["pass_code"])
    assert seen["share_status"] == "OK", seen
    token = seen["pass_code_token"]
    inside = await bob.get_share_folder(locked["share_id"], token, seen["files"][0]["id"])
    assert sorted(each["name"] for each in inside["files"]) == ["blue feather.bin", "deep"], inside
    restored = await bob.restore(locked["share_id"], token, [seen["files"][0]["id"]])
    assert restored["restore_task_id"], restored
    kept = await until(
        lambda: bob.path_to_id("/Pack From Shared/collected"), lambda found: len(found) == 2, "what was restored"
    )
    assert (await bob.file_list(parent_id=kept[1]["id"]))["files"]
    public = await ann.file_batch_share([feather])
    assert public["pass_code"] == "" and (await bob.get_share_info(public["share_url"]))["share_status"] == "OK"

    step("get_quota_info, vip_info, get_transfer_quota, get_invite_code")
    quota = (await ann.get_quota_info())["quota"]
    assert int(quota["usage"]) > 0 and int(quota["limit"]) > int(quota["usage"])
    assert (await ann.vip_info())["data"]["user_id"] == ann.user_id
    moved = (await ann.get_transfer_quota())["base"]
    assert moved["offline"]["size"] > 0 and moved["download"]["size"] >= 0, moved
    code = await ann.get_invite_code()
    assert code and code == await ann.get_invite_code()

    step("file_list, get_share_info and get_share_folder after a pause")
    held = ann.access_token
    pause()
    assert "collected" in [each["name"] for each in (await ann.file_list())["files"]]
    assert ann.access_token != held
    seen = await bob.get_share_info(locked["share_url"], locked["pass_code"])
    inside = await bob.get_share_folder(locked["share_id"], seen["pass_code_token"], seen["files"][0]["id"])
    assert sorted(each["name"] for each in inside["files"]) == ["blue feather.bin", "deep"], inside

    step("delete_to_trash, untrash, delete_forever")
    await ann.delete_to_trash([feather])
    assert feather not in [each["id"] for each in (await ann.file_list(parent_id=folder))["files"]]
    await ann.untrash([feather])
    assert feather in [each["id"] for each in (await ann.file_list(parent_id=folder))["files"]]
    await ann.delete_forever([feather, folder])
    assert "collected" not in [each["name"] for each in (await ann.file_list())["files"]]
    await ann.httpx_client.aclose()
    await bob.httpx_client.aclose()


asyncio.run(main())
