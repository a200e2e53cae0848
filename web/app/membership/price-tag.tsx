import { useT } from '#app/i18n/t.ts';

/** A price, and the regular one beside it if it is on sale; "" for none. Both are formatted. */
export function PriceTag({ price, regular }: { price: string; regular: string }) {
  return (
    <span className="text-16 font-semibold tabular-nums">
      {price}
      <RegularPrice price={regular} />
    </span>
  );
}

/** The regular price, struck through; nothing if it is "". */
export function RegularPrice({ price }: { price: string }) {
  const t = useT();
  if (price === '') return null;
  return (
    <>
      {' '}
      <s aria-hidden="true" className="text-13 font-normal text-ink-2">
        {price}
      </s>
      <span className="sr-only">{t('site.regularPrice', { price })}</span>
    </>
  );
}
