import type { ReactNode } from 'react';
import { ArrowRight, Check, Pause } from 'lucide-react';
import { LOCALE_NAMES, LOCALES } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { FileTile } from '#app/ui/file-tile.tsx';
import { Mark } from '#app/ui/mark.tsx';

/** Features of the product, each with a small illustration made of its own components. */
export function HomeFeatures({ trashDays }: { trashDays: number }) {
  const t = useT();
  return (
    <section className="mx-auto grid max-w-300 gap-4 px-8 pb-24 max-lg:px-5 sm:grid-cols-2 lg:grid-cols-3">
      <Feature title={t('home.features.share.title')} text={t('home.features.share.text')}>
        <div className="flex gap-2 font-mono text-20">
          {['k', '7', 'p', 'm'].map((letter) => (
            <span
              key={letter}
              className="grid h-13 w-11 place-items-center rounded-large border border-line-strong bg-paper"
            >
              {letter}
            </span>
          ))}
        </div>
      </Feature>
      <Feature title={t('home.features.save.title')} text={t('home.features.save.text')}>
        <div className="flex items-center gap-4 text-ink-3">
          <FileTile category="video" size={52} />
          <ArrowRight className="size-5" />
          <span className="relative grid size-13 place-items-center rounded-[13px] bg-blue-wash text-blue-strong">
            <Mark size={28} mono />
            <span className="absolute -right-1.5 -bottom-1.5 grid size-5 place-items-center rounded-full bg-success text-card">
              <Check className="size-3 [stroke-width:3.5]" />
            </span>
          </span>
        </div>
      </Feature>
      <Feature title={t('home.features.upload.title')} text={t('home.features.upload.text')}>
        <div className="grid w-full max-w-60 gap-3">
          {[38, 64].map((percent) => (
            <div key={percent} className="flex items-center gap-3">
              <span className="h-1.5 flex-1 overflow-hidden rounded-full bg-line">
                <span className="block h-full rounded-full bg-blue" style={{ width: `${percent}%` }} />
              </span>
              {percent === 38 ? (
                <Pause className="size-4 text-ink-3" />
              ) : (
                <ArrowRight className="size-4 text-blue" />
              )}
            </div>
          ))}
        </div>
      </Feature>
      <Feature title={t('home.features.undo.title')} text={t('home.features.undo.text', { days: trashDays })}>
        <div className="flex items-center gap-5 rounded-card border border-line bg-card py-3 pr-4 pl-4 text-13 shadow-float">
          <span>{t('home.demo.deleted', { count: 12 })}</span>
          <span className="font-semibold text-blue-strong">{t('home.demo.undo')}</span>
        </div>
      </Feature>
      <Feature
        title={t('home.features.languages.title')}
        text={t('home.features.languages.text', { count: LOCALES.length })}
      >
        <div className="flex max-w-75 flex-wrap justify-center gap-1.5">
          {LOCALES.map((locale) => (
            <span
              key={locale}
              lang={locale}
              className="rounded-full bg-paper px-2.5 py-1 text-12 text-ink-2 ring-1 ring-line"
            >
              {LOCALE_NAMES[locale]}
            </span>
          ))}
        </div>
      </Feature>
      <Feature title={t('home.features.own.title')} text={t('home.features.own.text')}>
        <code className="rounded-large border border-line bg-paper px-5 py-3.5 font-mono text-14">
          <span className="text-ink-3">{'$ '}</span>
          {'npm start'}
        </code>
      </Feature>
    </section>
  );
}

function Feature({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <article className="overflow-hidden rounded-dialog border border-line bg-card">
      <div aria-hidden="true" className="grid h-40 place-items-center bg-sunken px-6 select-none">
        {children}
      </div>
      <div className="p-6">
        <h2 className="text-16 font-semibold">{title}</h2>
        <p className="mt-1.5 text-ink-2">{text}</p>
      </div>
    </article>
  );
}
