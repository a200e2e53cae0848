import { EyeOff, FolderOutput, Scale, type LucideIcon } from 'lucide-react';
import { useFormat } from '#app/i18n/format.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';

const REASONS: readonly { name: 'trackers' | 'leave' | 'open'; icon: LucideIcon }[] = [
  { name: 'trackers', icon: EyeOff },
  { name: 'leave', icon: FolderOutput },
  { name: 'open', icon: Scale },
];

/** Question in the library, with its title. */
export interface Question {
  readonly id: string;
  readonly title: string;
}

/** Benefits for members, reasons to trust the service, and frequent questions. */
export function HomeTrust({
  freeBytes,
  trashDays,
  questions,
}: {
  freeBytes: number;
  trashDays: number;
  questions: readonly Question[];
}) {
  const t = useT();
  const format = useFormat();
  const plan = [
    freeBytes > 0 ? t('home.plan.space', { space: format.bytes(freeBytes) }) : t('home.plan.asked'),
    t('home.plan.trash', { days: trashDays }),
    t('home.plan.shares'),
    t('home.plan.programs'),
  ];
  return (
    <>
      <section className="mx-auto grid max-w-300 gap-14 px-8 pb-24 max-lg:px-5 max-md:gap-12 max-md:pb-16 lg:grid-cols-[1fr_1.6fr]">
        <div>
          <h2 className="text-28 font-[650]">{t('home.plan.title')}</h2>
          <ul className="mt-5 border-t border-line">
            {plan.map((line) => (
              <li key={line} className="border-b border-line py-3.5 text-16">
                {line}
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h2 className="text-28 font-[650]">{t('home.trust.title')}</h2>
          <ul className="mt-5 grid gap-6">
            {REASONS.map(({ name, icon: Icon }) => (
              <li key={name} className="flex gap-4">
                <span className="grid size-11 shrink-0 place-items-center rounded-card bg-sunken text-ink-2">
                  <Icon className="size-5" aria-hidden="true" />
                </span>
                <div>
                  <h3 className="text-16 font-semibold">{t(`home.trust.${name}.title`)}</h3>
                  <p className="mt-0.5 text-ink-2">{t(`home.trust.${name}.text`)}</p>
                </div>
              </li>
            ))}
          </ul>
        </div>
      </section>
      {questions.length > 0 && (
        <section className="mx-auto max-w-300 px-8 pb-24 max-lg:px-5 max-md:pb-16">
          <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
            <h2 className="text-28 font-[650]">{t('home.questions.title')}</h2>
            <LocaleLink to="/faq" className="font-medium text-blue-strong hover:underline">
              {t('home.questions.all')}
            </LocaleLink>
          </div>
          <ul className="mt-5 grid gap-x-10 border-t border-line md:grid-cols-2">
            {questions.map(({ id, title }) => (
              <li key={id} className="border-b border-line">
                <LocaleLink to={`/faq#${id}`} className="block py-4 text-16 hover:text-blue-strong">
                  {title}
                </LocaleLink>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
