import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import type { OpenShare } from './share-data.ts';

/** Title, and the link preview in chats: those of a locked or closed share reveal nothing but its existence. */
export function ShareMeta({ share }: { share: OpenShare | undefined }) {
  const t = useT();
  const { origin } = usePageFrame();
  const title = share ? share.opening.title : t('share.meta.locked');
  const description = share ? descriptionOf(t, share) : t('share.meta.lockedText');
  return (
    <>
      <PageTitle title={title} description={description} noIndex />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:image" content={`${origin}/og.png`} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function descriptionOf(t: ReturnType<typeof useT>, { opening, count }: OpenShare): string {
  const name = opening.user_info.nickname;
  return count === undefined ? t('share.gate.title', { name }) : t('share.meta.description', { name, count });
}
