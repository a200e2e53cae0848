import { AlternateLinks } from '#app/i18n/locale.tsx';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { PageTitle } from './page-title.tsx';
import { PRODUCT_NAME } from './wordmark.tsx';

/** What search engines and chats know of a public page. */
export function PublicHead({
  path,
  title,
  headline = title ?? PRODUCT_NAME,
  description,
  type = 'website',
}: {
  /** Without its locale. */
  path: string;
  /** Of the tab; the product's name alone where there is none. */
  title?: string;
  /** Of the card in a chat. */
  headline?: string;
  description: string;
  type?: 'website' | 'article';
}) {
  const { origin, locale } = usePageFrame();
  return (
    <>
      <PageTitle {...(title === undefined ? {} : { title })} description={description} />
      <AlternateLinks path={path} />
      <meta property="og:type" content={type} />
      <meta property="og:site_name" content={PRODUCT_NAME} />
      <meta property="og:locale" content={locale} />
      <meta property="og:title" content={headline} />
      <meta property="og:description" content={description} />
      <meta property="og:image" content={`${origin}/og.png`} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
