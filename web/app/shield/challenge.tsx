import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { Check, ShieldCheck, ShieldX } from 'lucide-react';
import { isApiFailure, shieldApi } from '@bowerbird/contract';
import { call } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import { announce } from '#app/ui/live-region.tsx';
import { Meter } from '#app/ui/meter.tsx';
import type { Route } from './+types/challenge';
import { FramePage } from './frame-page.tsx';
import type { Task } from './proof.ts';
import { returnAddress } from './return-address.ts';
import { workBeside, workHere } from './work-out.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const challenge = url.searchParams.get('captcha_token') ?? '';
  const state = url.searchParams.get('state');
  try {
    const { id, rounds, bits } = await context
      .get(pageServices)
      .call(shieldApi.challenge, { query: { challenge } });
    return { challenge, state, task: { id, rounds, bits } satisfies Task };
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    return { challenge, state, task: undefined };
  }
}

type Stage = 'working' | 'asks' | 'done' | 'failed' | 'over';

export default function Challenge({ loaderData: { challenge, state, task } }: Route.ComponentProps) {
  const t = useT();
  return (
    <FramePage label={t('shield.title')}>
      <PageTitle title={t('shield.title')} noIndex />
      {task ? <Work challenge={challenge} state={state} task={task} /> : <Over />}
    </FramePage>
  );
}

/**
 * Solves the challenge automatically; nobody has to see, hear or recognize anything. If workers are
 * unavailable, it asks for permission to compute in the page.
 */
function Work({ challenge, state, task }: { challenge: string; state: string | null; task: Task }) {
  const t = useT();
  const textOf = useErrorText();
  const [stage, setStage] = useState<Stage>('working');
  const [done, setDone] = useState(0);
  const [trouble, setTrouble] = useState<string>();
  const stopping = useRef<AbortController>(undefined);

  const work = async (how: typeof workBeside): Promise<void> => {
    stopping.current?.abort();
    const stop = new AbortController();
    stopping.current = stop;
    setStage('working');
    try {
      const answers = await how(task, { signal: stop.signal, onProgress: setDone });
      const solved = await call(shieldApi.solve, { body: { challenge, answers: [...answers] } });
      setStage('done');
      announce(t('shield.done'));
      location.replace(returnAddress(solved, state));
    } catch (error) {
      if (stop.signal.aborted) return;
      if (!isApiFailure(error)) return setStage('asks');
      setTrouble(textOf(error));
      setStage(error.id === 'token_expired' ? 'over' : 'failed');
    }
  };
  const begin = useEffectEvent(() => void work(workBeside));
  useEffect(() => {
    begin();
    return () => stopping.current?.abort();
  }, []);

  if (stage === 'over') return <Over />;
  if (stage === 'failed') return <Failed text={trouble} onAgain={() => void work(workHere)} />;
  return (
    <>
      <Emblem>{stage === 'done' ? <Check /> : <ShieldCheck />}</Emblem>
      <h1 className="text-16 font-semibold">{t('shield.title')}</h1>
      <p className="mt-1.5 mb-6 text-ink-2" role="status">
        {stage === 'done' ? t('shield.done') : stage === 'asks' ? t('shield.asks') : t('shield.text')}
      </p>
      {stage === 'asks' ? (
        <Button variant="primary" size="l" className="w-full" onClick={() => void work(workHere)}>
          {t('shield.begin')}
        </Button>
      ) : (
        <Meter progress value={stage === 'done' ? 1 : done} label={t('shield.progress')} />
      )}
      <p className="mt-6 text-13 text-ink-3">{t('shield.why')}</p>
      <noscript>
        <p className="mt-4 text-13 text-danger">{t('shield.noScript')}</p>
      </noscript>
    </>
  );
}

function Failed({ text, onAgain }: { text: string | undefined; onAgain: () => void }) {
  const t = useT();
  return (
    <>
      <Emblem tone="danger">
        <ShieldX />
      </Emblem>
      <h1 className="text-16 font-semibold">{t('shield.failed')}</h1>
      <p className="mt-1.5 mb-6 text-ink-2" role="alert">
        {text}
      </p>
      <Button variant="primary" size="l" className="w-full" onClick={onAgain}>
        {t('shield.again')}
      </Button>
    </>
  );
}

function Over() {
  const t = useT();
  return (
    <>
      <Emblem tone="danger">
        <ShieldX />
      </Emblem>
      <h1 className="text-16 font-semibold">{t('shield.over')}</h1>
      <p className="mt-1.5 text-ink-2">{t('shield.overText')}</p>
    </>
  );
}

function Emblem({ tone = 'blue', children }: { tone?: 'blue' | 'danger'; children: ReactNode }) {
  const colours = tone === 'blue' ? 'bg-blue-wash text-blue-strong' : 'bg-danger-wash text-danger';
  return (
    <div
      aria-hidden="true"
      className={`mb-5 grid size-16 place-items-center rounded-full [&>svg]:size-7 [&>svg]:stroke-[1.75] ${colours}`}
    >
      {children}
    </div>
  );
}
