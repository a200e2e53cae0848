import { LOCALES, type Locale } from '@bowerbird/contract';
import { AlternateLinks } from '#app/i18n/locale.tsx';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { PRODUCT_NAME } from '#app/ui/wordmark.tsx';
import { PageTitle } from './page-title.tsx';

/**
 * Open Graph locales consist of a language and a country; each language uses a country with our variant of
 * it.
 */
const CARD_LOCALES: Readonly<Record<Locale, string>> = {
  'en-US': 'en_US',
  es: 'es_ES',
  id: 'id_ID',
  ja: 'ja_JP',
  ko: 'ko_KR',
  ms: 'ms_MY',
  pt: 'pt_BR',
  ru: 'ru_RU',
  uk: 'uk_UA',
  'zh-CN': 'zh_CN',
  'zh-TW': 'zh_TW',
};

/** Metadata of a public page for search engines and link previews. */
export function PublicHead({
  path,
  title,
  description,
  type = 'website',
}: {
  /** Path without its locale. */
  path: string;
  /** Title of the tab, without the product's name. */
  title: string;
  description: string;
  type?: 'website' | 'article';
}) {
  const { origin, locale } = usePageFrame();
  return (
    <>
      <PageTitle title={title} description={description} />
      <AlternateLinks path={path} />
      <meta property="og:type" content={type} />
      <meta property="og:site_name" content={PRODUCT_NAME} />
      <meta property="og:locale" content={CARD_LOCALES[locale]} />
      {LOCALES.filter((other) => other !== locale).map((other) => (
        <meta key={other} property="og:locale:alternate" content={CARD_LOCALES[other]} />
      ))}
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:image" content={`${origin}/og.png`} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
