import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/ui/page-title.tsx';
import { isOpen, type Opening } from './share-data.ts';

/** Title, and the card that chats show: of a share that is locked or closed they tell nothing but that there is one. */
export function ShareMeta({ opening }: { opening: Opening }) {
  const t = useT();
  const { origin } = usePageFrame();
  const title = isOpen(opening) ? opening.title : t('share.meta.locked');
  const description = isOpen(opening) ? t('share.meta.description', { name: opening.user_info.nickname, count: Number(opening.file_num) }) : t('share.meta.lockedText');
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
