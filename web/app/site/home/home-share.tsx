import { useRef, useState, type FormEvent } from 'react';
import { Check, FolderInput, Lock, RotateCcw } from 'lucide-react';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import { announce } from '#app/ui/live-region.tsx';
import { DemoPasscode, PASSCODE } from './demo-passcode.tsx';
import { SAMPLE_FILES } from './sample-files.ts';

const FILES = SAMPLE_FILES.slice(1, 4);

type Step = 'closed' | 'wrong' | 'open' | 'saved';

/** Recipient's view of a share, in miniature: a passcode, the files, one button. Used only on this page. */
export function HomeShare() {
  const t = useT();
  const [step, setStep] = useState<Step>('closed');
  const stage = useRef<HTMLDivElement>(null);
  const isClosed = step === 'closed' || step === 'wrong';
  /** The pressed button disappears with its step, so the next button gets the focus. */
  const goTo = (next: Step): void => {
    setStep(next);
    requestAnimationFrame(() =>
      stage.current?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true }),
    );
  };
  return (
    <section className="mx-auto grid max-w-300 items-center gap-12 px-8 py-24 max-lg:px-5 max-md:gap-8 max-md:py-16 lg:grid-cols-2">
      <div className="lg:order-2">
        <h2 className="text-28 font-[650] [overflow-wrap:anywhere]">{t('home.share.title')}</h2>
        <p className="mt-3 max-w-[34em] text-16 text-ink-2">{t('home.share.text')}</p>
      </div>
      <div
        ref={stage}
        role="group"
        aria-label={t('home.share.label')}
        className="grid min-h-86 overflow-hidden rounded-[20px] border border-line bg-card shadow-float"
      >
        {isClosed ? (
          <Passcode isWrong={step === 'wrong'} onTried={(isRight) => goTo(isRight ? 'open' : 'wrong')} />
        ) : (
          <Opened
            isSaved={step === 'saved'}
            onSave={() => {
              goTo('saved');
              announce(t('home.share.saved'));
            }}
            onAgain={() => goTo('closed')}
          />
        )}
      </div>
    </section>
  );
}

function Passcode({ isWrong, onTried }: { isWrong: boolean; onTried: (isRight: boolean) => void }) {
  const t = useT();
  const field = useRef<HTMLInputElement>(null);
  const attempt = (event: FormEvent): void => {
    event.preventDefault();
    const isRight = field.current!.value.trim().toLowerCase() === PASSCODE;
    onTried(isRight);
    if (!isRight) field.current!.select();
  };
  const passcode = <DemoPasscode />;
  return (
    <form
      onSubmit={attempt}
      className="m-auto flex w-full max-w-80 flex-col items-center gap-4 px-6 py-10 text-center"
    >
      <span className="grid size-13 place-items-center rounded-full bg-blue-wash text-blue-strong">
        <Lock className="size-6" aria-hidden="true" />
      </span>
      <label htmlFor="home-passcode" className="text-16 font-semibold">
        {t('share.gate.passcode')}
      </label>
      <div className="flex w-full gap-2">
        <input
          ref={field}
          id="home-passcode"
          type="text"
          maxLength={10}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={isWrong || undefined}
          aria-describedby="home-passcode-hint"
          className="field h-11! min-w-0 flex-1 text-center font-mono text-16! tracking-[0.2em]"
        />
        <Button type="submit" variant="primary" size="l">
          {t('share.gate.open')}
        </Button>
      </div>
      <p id="home-passcode-hint" aria-live="polite" className="text-13 text-ink-2">
        {isWrong ? t.rich('home.share.wrong', { passcode }) : t.rich('home.share.hint', { passcode })}
      </p>
    </form>
  );
}

function Opened({ isSaved, onSave, onAgain }: { isSaved: boolean; onSave: () => void; onAgain: () => void }) {
  const t = useT();
  const format = useFormat();
  const size = format.bytes(FILES.reduce((sum, file) => sum + file.size, 0));
  return (
    <div className="flex flex-col">
      <div className="px-5 pt-4 pb-3.5">
        <h3 className="text-16 font-semibold">{t('home.demo.folder')}</h3>
        <p className="text-13 text-ink-2">{t('home.share.holds', { count: FILES.length, size })}</p>
      </div>
      <ul className="flex-1 border-t border-line">
        {FILES.map(({ id, name, category, size: bytes }) => (
          <li key={id} className="flex h-14 items-center gap-3 border-b border-line px-5">
            <FileTile category={category} />
            <span className="min-w-0 flex-1 truncate font-medium">{t(name)}</span>
            <span className="text-13 text-ink-2 tabular-nums">{format.bytes(bytes)}</span>
          </li>
        ))}
      </ul>
      <div className="flex min-h-17 items-center gap-3 p-3.5 pl-5">
        {isSaved ? (
          <>
            <p className="flex min-w-0 flex-1 items-center gap-2 text-13 text-ink-2">
              <Check className="size-4.5 shrink-0 text-success" aria-hidden="true" />
              {t('home.share.saved')}
            </p>
            <Button variant="plain" icon={<RotateCcw />} onClick={onAgain}>
              {t('home.share.again')}
            </Button>
          </>
        ) : (
          <Button variant="primary" size="l" icon={<FolderInput />} onClick={onSave} className="ml-auto">
            {t('share.save')}
          </Button>
        )}
      </div>
    </div>
  );
}
