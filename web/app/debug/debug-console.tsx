import { useEffect, useState, useSyncExternalStore } from 'react';
import { Eraser, X } from 'lucide-react';
import { deviceId } from '#app/browser/device.ts';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { openLogBook, type Entry, type LogBook } from './log-book.ts';

type Tab = 'log' | 'network' | 'page';

/**
 * Debug console for browsers without developer tools, such as those of phones. Closing it restores the
 * browser's state.
 */
export default function DebugConsole({ onClose }: { onClose: () => void }) {
  const t = useT();
  const [tab, setTab] = useState<Tab>('log');
  const [book, setBook] = useState<LogBook>();
  useEffect(() => {
    const opened = openLogBook(window, console);
    setBook(opened);
    return () => opened.close();
  }, []);
  const tabs = (['log', 'network', 'page'] as const).map((id) => ({ id, label: t(`debug.${id}`) }));
  return (
    <section
      aria-label={t('debug.title')}
      className="fixed inset-x-0 bottom-0 z-2000 flex h-[min(45dvh,420px)] flex-col border-t border-line bg-card text-ink shadow-float"
    >
      <div className="flex items-center gap-2 pr-2 pl-4">
        <h2 className="mr-2 text-13 font-semibold max-sm:sr-only">{t('debug.title')}</h2>
        <Tabs
          label={t('debug.title')}
          tabs={tabs}
          selected={tab}
          onSelect={setTab}
          className="flex-1 border-0"
        />
        <IconButton label={t('debug.clear')} icon={<Eraser />} onClick={() => book?.clear()} />
        <IconButton label={t('ui.close')} icon={<X />} onClick={onClose} />
      </div>
      {/* A scrolling list must be reachable with the keyboard. */}
      <div
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="group"
        aria-label={t(`debug.${tab}`)}
        className="min-h-0 flex-1 overflow-auto border-t border-line font-mono text-12"
      >
        {tab === 'log' && book && <Log book={book} />}
        {tab === 'network' && <Network />}
        {tab === 'page' && <PageFactsList />}
      </div>
    </section>
  );
}

const COLOURS: Readonly<Record<Entry['level'], string>> = {
  log: '',
  info: 'text-blue-strong',
  warn: 'bg-warning-wash',
  error: 'bg-danger-wash text-danger',
};

function Log({ book }: { book: LogBook }) {
  const t = useT();
  const entries = useSyncExternalStore(book.subscribe, book.entries);
  if (entries.length === 0) return <p className="px-4 py-3 text-ink-3">{t('debug.nothing')}</p>;
  return (
    <ol>
      {entries.map(({ id, at, level, text }) => (
        <li key={id} className={`flex gap-3 border-b border-line px-4 py-1 ${COLOURS[level]}`}>
          <span className="shrink-0 text-ink-3 tabular-nums">{(at / 1000).toFixed(2)}</span>
          <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</span>
        </li>
      ))}
    </ol>
  );
}

const calls = (): PerformanceResourceTiming[] =>
  (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
    .filter(({ initiatorType }) => initiatorType === 'fetch' || initiatorType === 'xmlhttprequest')
    .toReversed();

function Network() {
  const t = useT();
  const [seen, setSeen] = useState(calls);
  useEffect(() => {
    const watch = new PerformanceObserver(() => setSeen(calls()));
    watch.observe({ type: 'resource' });
    return () => watch.disconnect();
  }, []);
  if (seen.length === 0) return <p className="px-4 py-3 text-ink-3">{t('debug.nothing')}</p>;
  return (
    <ol>
      {seen.map(({ name, startTime, duration, responseStatus }) => (
        <li
          key={`${startTime} ${name}`}
          className={`flex gap-3 border-b border-line px-4 py-1 ${responseStatus >= 400 ? COLOURS.error : ''}`}
        >
          <span className="shrink-0 tabular-nums">{responseStatus || '–'}</span>
          <span className="shrink-0 text-ink-3 tabular-nums">{`${Math.round(duration)} ms`}</span>
          <span className="[overflow-wrap:anywhere]">{pathOf(name)}</span>
        </li>
      ))}
    </ol>
  );
}

/** Address without its query: screenshots of this console are passed around. */
function pathOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin === location.origin ? pathname : origin + pathname;
}

function PageFactsList() {
  const { locale, timeZone, theme, origin, origins } = usePageFrame();
  const facts: Record<string, string> = {
    path: location.pathname,
    device: deviceId(),
    locale,
    timeZone,
    theme,
    origin,
    origins: origins.join(', '),
    screen: `${innerWidth} × ${innerHeight} @ ${devicePixelRatio}`,
    online: String(navigator.onLine),
    agent: navigator.userAgent,
  };
  return (
    <dl>
      {Object.entries(facts).map(([name, value]) => (
        <div key={name} className="flex gap-3 border-b border-line px-4 py-1">
          <dt className="w-20 shrink-0 text-ink-3">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
