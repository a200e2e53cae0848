import { PRODUCT_NAME } from '#app/ui/wordmark.tsx';

/** Title of the tab, and the page's metadata for search engines. */
export function PageTitle({
  title,
  description,
  noIndex = false,
}: {
  title?: string;
  description?: string;
  noIndex?: boolean;
}) {
  return (
    <>
      <title>{title === undefined ? PRODUCT_NAME : `${title} · ${PRODUCT_NAME}`}</title>
      {description !== undefined && <meta name="description" content={description} />}
      {noIndex && <meta name="robots" content="noindex" />}
    </>
  );
}
