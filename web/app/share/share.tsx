import { useEffect } from 'react';
import { data, redirect } from 'react-router';
import { isApiFailure, shareApi, type File, type ShareStatus } from '@bowerbird/contract';
import { call as browserCall } from '#app/api/client.ts';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { queryClient } from '#app/api/query.ts';
import { firstPaintMode, isFolder } from '#app/node/index.ts';
import type { Route } from './+types/share';
import { Gate } from './gate.tsx';
import { ShareClosed } from './share-closed.tsx';
import { isOpen, loadFolderOf, loadShareFile, openingKey, openShare, rememberOpening, type Opening } from './share-data.ts';
import { ShareFrame } from './share-frame.tsx';
import { tokenCookie, TOKEN_COOKIE_OPTIONS } from './share-cookies.ts';
import { ShareMeta } from './share-meta.tsx';
import { ShareView } from './share-view.tsx';

/** What the address of a closed share answers. */
const HTTP_STATUS: Partial<Record<ShareStatus, number>> = { NOT_FOUND: 404, DELETED: 410, EXPIRED: 410, MAX_RESTORE_COUNT: 410, PROHIBITED: 403, AUDITING: 403, SENSITIVE_RESOURCE: 403, SENSITIVE_WORD: 403 };

function passcodeIn(url: URL): string {
  return url.searchParams.get('s_code') ?? url.searchParams.get('pass_code') ?? url.searchParams.get('pwd') ?? '';
}

const folderOf = (path: string | undefined): string => path?.split('/').findLast((part) => part !== '') ?? '';

export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const mode = firstPaintMode(request.headers.get('cookie'), 'shared');
  const passcode = passcodeIn(url);
  const { opening, first } = await openShare(services, params.shareId, passcode, mode).catch((error: unknown) => {
    throw isApiFailure(error) && error.status === 404 ? pageNotFound(url.pathname) : error;
  });
  if (!isOpen(opening)) {
    return data({ opening, passcode, mode, listing: undefined, file: undefined }, { status: HTTP_STATUS[opening.share_status] ?? 200 });
  }
  const folderId = folderOf(params['*']);
  const token = opening.pass_code_token;
  const listing = folderId === '' ? { first, ancestors: [] } : await loadFolderOf(services.call, params.shareId, token, folderId, mode);
  // A folder always names itself; a listing without a way to it is of something that is not in the share.
  if (folderId !== '' && listing.ancestors.length === 0) throw pageNotFound(url.pathname);
  const fileId = url.searchParams.get('open_file') ?? (folderId === '' ? onlyFile(first.files)?.id : undefined);
  const file = fileId === undefined ? undefined : await loadShareFile(services.call, params.shareId, token, fileId).catch(() => undefined);
  return data({ opening, passcode: '', mode, listing, file }, { status: 200 });
}

/** Walking through a share that is open asks the API alone. */
export async function clientLoader({ params, serverLoader, url }: Route.ClientLoaderArgs) {
  const opening = queryClient().getQueryData<Opening>(openingKey(params.shareId));
  if (!opening || !isOpen(opening)) return serverLoader();
  const mode = firstPaintMode(document.cookie, 'shared');
  const listing = await loadFolderOf(browserCall, params.shareId, opening.pass_code_token, folderOf(params['*']), mode);
  if (folderOf(params['*']) !== '' && listing.ancestors.length === 0) throw pageNotFound(url.pathname);
  return { opening, passcode: '', mode, listing, file: undefined };
}

/** The gate's form, with scripts and without. */
export async function action({ request, url, params, context }: Route.ActionArgs) {
  const services = context.get(pageServices);
  const form = await request.formData();
  const passcode = String(form.get('s_code') ?? '').trim();
  try {
    const opened = await services.call(shareApi.open, { query: { share_id: params.shareId, pass_code: passcode, limit: 1 } });
    if (opened.pass_code_token === '') return { status: opened.share_status, failure: undefined };
    services.setCookie(tokenCookie(params.shareId), opened.pass_code_token, TOKEN_COOKIE_OPTIONS);
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    return data({ status: undefined, failure: { id: error.id, facts: error.facts, text: error.text } }, { status: error.status });
  }
  const query = new URLSearchParams(url.search);
  for (const name of ['s_code', 'pass_code', 'pwd']) query.delete(name);
  throw redirect(url.pathname + (query.size > 0 ? `?${query}` : ''));
}

function onlyFile(files: readonly File[]): File | undefined {
  const [first] = files;
  return files.length === 1 && first && !isFolder(first) ? first : undefined;
}

export default function Share({ params, loaderData, actionData }: Route.ComponentProps) {
  const { opening, listing } = loaderData;
  useEffect(() => {
    if (isOpen(opening)) rememberOpening(queryClient(), params.shareId, opening);
  }, [params.shareId, opening]);
  const needsPasscode = opening.share_status === 'PASS_CODE_EMPTY' || opening.share_status === 'PASS_CODE_ERROR';
  return (
    <ShareFrame>
      <ShareMeta opening={opening} />
      {listing ? (
        <ShareView key={params.shareId} shareId={params.shareId} folderId={folderOf(params['*'])} opening={opening} listing={listing} mode={loaderData.mode} file={loaderData.file} />
      ) : needsPasscode ? (
        <Gate opening={opening} typed={loaderData.passcode} refusal={actionData} />
      ) : (
        <ShareClosed status={opening.share_status} text={opening.share_status_text} />
      )}
    </ShareFrame>
  );
}
