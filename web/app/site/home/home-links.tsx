import { lazy, Suspense, useState, useTransition } from 'react';
import { Search } from 'lucide-react';
import { Form } from 'react-router';
import { textOf } from '#app/browser/form-text.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import { LinkInput } from '#app/ui/form/link-input.tsx';
import { useFieldCheck } from '#app/ui/form/use-field-check.ts';

const FIELD = 'home-link';
const KINDS = ['link', 'magnet', 'torrent', 'share'] as const;

/** Loads the link checker and its messages when a visitor starts typing. */
const loadAnswer = async () => {
  const [answer] = await Promise.all([import('#app/offline/links/link-answer.tsx'), loadMessages('member')]);
  return answer;
};
const LinkAnswer = lazy(loadAnswer);

/** Link checker with its result in place; without scripts, the form leads to the link checker's page. */
export function HomeLinks() {
  const t = useT();
  const path = useLocalePath();
  const { problem, checks } = useFieldCheck();
  const [asked, setAsked] = useState('');
  const [isComing, come] = useTransition();
  return (
    <section className="border-y border-line bg-sunken">
      <div className="mx-auto grid max-w-300 items-center gap-12 px-8 py-20 max-lg:px-5 max-md:gap-8 max-md:py-14 lg:grid-cols-2">
        <div>
          <h2 className="text-28 font-[650] [overflow-wrap:anywhere]">{t('home.links.title')}</h2>
          <p className="mt-3 max-w-[34em] text-16 text-ink-2">{t('home.links.text')}</p>
        </div>
        <Form
          method="get"
          action={path('/url-checker')}
          className="min-w-0 rounded-dialog border border-line bg-card p-5 shadow-float"
          onFocus={() => void loadAnswer().catch(() => undefined)}
          onSubmit={(event) => {
            event.preventDefault();
            const text = textOf(new FormData(event.currentTarget), 'url');
            come(() => setAsked(text));
          }}
        >
          <label htmlFor={FIELD} className="font-medium">
            {t('home.links.field')}
          </label>
          <div className="mt-2 flex gap-2 max-sm:flex-col">
            <LinkInput
              {...checks}
              id={FIELD}
              placeholder={t('home.links.placeholder')}
              aria-invalid={problem !== undefined || undefined}
              aria-describedby={problem === undefined ? undefined : `${FIELD}-error`}
              className="sm:w-auto sm:flex-1"
            />
            <Button
              type="submit"
              variant="primary"
              size="l"
              icon={<Search />}
              busy={isComing}
              className="h-12!"
            >
              {t('home.links.look')}
            </Button>
          </div>
          {problem !== undefined && (
            <p id={`${FIELD}-error`} className="mt-2 text-13 text-danger">
              {problem}
            </p>
          )}
          <Suspense>{asked !== '' && <LinkAnswer key={asked} text={asked} />}</Suspense>
          <ul className="mt-4 flex flex-wrap gap-x-5 gap-y-2 text-13 text-ink-2">
            {KINDS.map((kind) => (
              <li key={kind} className="flex items-center gap-2">
                <FileTile category={TILES[kind]} size={24} />
                {t(`home.links.kind.${kind}`)}
              </li>
            ))}
          </ul>
        </Form>
      </div>
    </section>
  );
}

const TILES = { link: 'text', magnet: 'video', torrent: 'archive', share: 'folder' } as const;
