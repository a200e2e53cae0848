import { lazy, useEffect, useMemo } from 'react';
import { data, redirect, useRevalidator, type ShouldRevalidateFunctionArgs } from 'react-router';
import { archiveApi, isApiFailure, shareApi, type ApiFailure, type PageServices } from '@bowerbird/contract';
import { call } from '#app/api/client.ts';
import { isCaptchaRefusal } from '#app/api/http-client.ts';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useViewer } from '#app/api/viewer.ts';
import { writeCookie } from '#app/browser/cookies.ts';
import { HydratedLater } from '#app/i18n/page-frame.tsx';
import { firstPaintMode } from '#app/node/display/display-mode.ts';
import { contentUrl } from '#app/node/file-facts.ts';
import { count } from '#app/statistics/happenings.ts';
import type { Route } from './+types/share';
import { Gate, type GateRefusal } from './gate.tsx';
import { leanListing, wholeListing } from './lean-listing.ts';
import { openedShares } from './opened-shares.ts';
import { tokenCookie, TOKEN_COOKIE_OPTIONS } from './share-cookies.ts';
import {
  enterShare,
  isOpen,
  loadShareFile,
  openShare,
  type ListingMode,
  type OpenShare,
  type Sight,
} from './share-data.ts';
import { ShareFrame } from './share-frame.tsx';
import { ShareMeta } from './share-meta.tsx';
import { folderOf } from './share-paths.ts';
import { httpStatusOf } from './share-status.ts';
import { ShareView } from './share-view.tsx';

// Most shares are open: the browser loads this only for one that isn't.
const ShareClosed = import.meta.env.SSR
  ? (await import('./share-closed.tsx')).default
  : lazy(() => import('./share-closed.tsx'));

const PASSCODE_PARAMETERS = ['s_code', 'pass_code', 'pwd'] as const;

function passcodeIn(url: URL): string {
  for (const name of PASSCODE_PARAMETERS) {
    const passcode = url.searchParams.get(name);
    if (passcode !== null) return passcode.trim();
  }
  return '';
}

export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const mode = firstPaintMode(request.headers.get('cookie'), 'shared');
  const passcode = passcodeIn(url);
  const { opening, first, failure } = await look(services, params.shareId, passcode, mode);
  if (!isOpen(opening)) {
    const status = failure?.status ?? httpStatusOf(opening.share_status);
    const refusal = failure && refusalOf(failure);
    return data(
      { opening, passcode, mode, refusal, open: undefined, file: undefined },
      { status, headers: failure ? waitOf(failure) : {} },
    );
  }
  const folderId = folderOf(params['*']);
  const open = await enterShare(services.call, {
    id: params.shareId,
    opening,
    openedBy: services.viewer?.sub ?? '',
    first,
    mode,
    folderId,
  });
  if (!open) throw pageNotFound(url.pathname);
  const fileId = url.searchParams.get('open_file') ?? open.share.only?.id;
  const file =
    fileId === undefined
      ? undefined
      : await loadShareFile(services.call, params.shareId, opening.pass_code_token, fileId).catch(
          () => undefined,
        );
  const lean = { share: open.share, listing: leanListing(open.listing) };
  return data({ opening, passcode: '', mode, refusal: undefined, open: lean, file }, { status: 200 });
}

/** Adds the wait to a refusal, for programs that retry by themselves. */
export function headers({ loaderHeaders, actionHeaders }: Route.HeadersArgs): Record<string, string> {
  const seconds = actionHeaders.get('retry-after') ?? loaderHeaders.get('retry-after');
  return seconds === null ? {} : { 'retry-after': seconds };
}

/**
 * Opens the share. While attempts have to wait, a link that contains a passcode shows the gate, which states
 * the wait.
 */
async function look(
  services: PageServices,
  shareId: string,
  passcode: string,
  mode: ListingMode,
): Promise<Sight & { readonly failure?: ApiFailure }> {
  try {
    return await openShare(services, shareId, passcode, mode);
  } catch (error) {
    if (!isApiFailure(error) || passcode === '') throw error;
    return { ...(await openShare(services, shareId, '', mode)), failure: error };
  }
}

function refusalOf({ id, facts, text }: ApiFailure): GateRefusal {
  return { status: undefined, failure: { id, facts, text } };
}

function waitOf({ facts }: ApiFailure): Record<string, string> {
  const seconds = facts['retry_in'];
  return seconds === undefined ? {} : { 'retry-after': seconds };
}

/** Navigating within an open share only calls the API. */
export async function clientLoader({ params, serverLoader }: Route.ClientLoaderArgs) {
  const share = openedShares.get(params.shareId);
  if (!share || share.only) return serverLoader();
  const { walkTo } = await import('./walk-share.ts');
  const mode = firstPaintMode(document.cookie, 'shared');
  const listing = await walkTo(share, folderOf(params['*']), mode);
  if (!listing) {
    // The share was closed or the folder removed in the meantime: the server reports which.
    openedShares.forget(params.shareId);
    return serverLoader();
  }
  const { opening } = share;
  return { opening, passcode: '', mode, refusal: undefined, open: { share, listing }, file: undefined };
}

/** Opening a file over the list changes only the address. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const isSamePlace = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return isSamePlace && formMethod === undefined ? false : defaultShouldRevalidate;
}

/** Handles the gate's form, and the download of the whole share, with and without scripts. */
export async function action({ request, url, params, context }: Route.ActionArgs) {
  const services = context.get(pageServices);
  const form = await request.formData();
  if (form.get('intent') === 'download') throw redirect(await addressOfWhole(services, params.shareId, url));
  return enter(services, params.shareId, url, form);
}

/** Submits an attempt that needs a captcha token from the browser, where a challenge can be shown. */
export async function clientAction({ request, url, params, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const answered = await serverAction();
  if (!answered?.failure || !isCaptchaRefusal(answered.failure.id)) return answered;
  return enter({ call, setCookie: writeCookie }, params.shareId, url, form);
}

async function enter(
  services: Pick<PageServices, 'call'> & { setCookie: typeof writeCookie },
  shareId: string,
  url: URL,
  form: FormData,
) {
  const typed = form.get('s_code');
  const passcode = typeof typed === 'string' ? typed.trim() : '';
  try {
    const opened = await services.call(shareApi.open, {
      query: { share_id: shareId, pass_code: passcode, limit: 1 },
    });
    if (!isOpen(opened))
      return data({ status: opened.share_status, failure: undefined } satisfies GateRefusal, {
        status: httpStatusOf(opened.share_status),
      });
    services.setCookie(tokenCookie(shareId), opened.pass_code_token, TOKEN_COOKIE_OPTIONS);
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    return data(refusalOf(error), { status: error.status, headers: waitOf(error) });
  }
  const query = new URLSearchParams(url.search);
  for (const name of PASSCODE_PARAMETERS) query.delete(name);
  throw redirect(url.pathname + (query.size > 0 ? `?${query}` : ''));
}

/**
 * Returns the download address of the whole share: its only file, or everything as one zip; or its page if
 * the share was closed.
 */
async function addressOfWhole(services: PageServices, shareId: string, page: URL): Promise<string> {
  const known = services.cookies[tokenCookie(shareId)];
  const access = { share_id: shareId, ...(known === undefined ? {} : { pass_code_token: known }) };
  const {
    pass_code_token: token,
    file_num,
    files,
  } = await services.call(shareApi.open, { query: { ...access, limit: 1 } });
  const [root] = files;
  if (token === '' || !root) return page.pathname;
  if (file_num === '1' && root.kind === 'drive#file')
    return contentUrl(await loadShareFile(services.call, shareId, token, root.id)) ?? page.pathname;
  const pack = await services.call(archiveApi.packShare, {
    body: { share_id: shareId, pass_code_token: token, file_ids: [] },
  });
  return pack.url || page.pathname;
}

export default function Share({ loaderData, actionData, params }: Route.ComponentProps) {
  const { opening, open, mode, file } = loaderData;
  const share = open?.share;
  const listing = useMemo(() => open && wholeListing(open.listing), [open]);
  useEffect(() => {
    if (!share) return undefined;
    openedShares.keep(share);
    return () => openedShares.forget(share.id);
  }, [share]);
  useNewViewer(share);
  // The share's identity is not recorded; viewing one's own share is not counted as spreading it.
  const spreads = share && !share.opening.own ? share.id : undefined;
  useEffect(() => {
    if (spreads !== undefined) count('spread_page', 'share');
  }, [spreads]);
  const needsPasscode =
    opening.share_status === 'PASS_CODE_EMPTY' || opening.share_status === 'PASS_CODE_ERROR';
  return (
    <ShareFrame>
      <ShareMeta share={share} />
      {share && listing ? (
        <ShareView key={share.id} share={share} listing={listing} mode={mode} file={file} />
      ) : needsPasscode ? (
        <Gate
          opening={opening}
          typed={loaderData.passcode}
          refusal={actionData ?? loaderData.refusal}
          isFromLink={actionData === undefined}
        />
      ) : (
        <HydratedLater>
          <ShareClosed shareId={params.shareId} opening={opening} />
        </HydratedLater>
      )}
    </ShareFrame>
  );
}

/** Reopens the share after someone signs in over the page, who may be its owner. */
function useNewViewer(share: OpenShare | undefined): void {
  const { revalidate } = useRevalidator();
  const viewerId = useViewer()?.sub ?? '';
  useEffect(() => {
    if (!share || share.openedBy === viewerId) return;
    openedShares.forget(share.id);
    void revalidate();
  }, [viewerId, share, revalidate]);
}
