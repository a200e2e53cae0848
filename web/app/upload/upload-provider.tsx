import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { useCall } from '#app/api/client.ts';
import { errorText } from '#app/api/error-text.ts';
import { randomHex } from '#app/browser/device.ts';
import { useT } from '#app/i18n/t.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { droppedItems, pickedFiles, type Batch } from './dropped.ts';
import { createResumeRecords } from './resume-records.ts';
import type { Conflict, ConflictAnswer } from './name-choices.ts';
import { totalsOf, type Target } from './upload-item.ts';
import { createUploadQueue, type UploadQueue, type UploadSnapshot } from './upload-queue.ts';

interface Uploads {
  readonly queue: UploadQueue | undefined;
  /** Opens the browser's file dialog for files or for a folder. */
  pick(what: 'files' | 'folder', target: Target): void;
  /** Adds dropped files; call it within the event. */
  take(transfer: DataTransfer, target: Target): void;
  /** Adds `File` objects. */
  add(files: readonly File[], target: Target): void;
}

const UploadContext = createContext<Uploads | null>(null);
const NOTHING: UploadSnapshot = {
  items: [],
  totals: totalsOf([]),
  current: totalsOf([]),
  speed: 0,
  secondsLeft: undefined,
  atOnce: 5,
};

interface Question {
  readonly conflict: Conflict;
  readonly answer: (answer: ConflictAnswer | null) => void;
}

function untilOnline(signal: AbortSignal): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve, reject) => {
    addEventListener('online', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}

/**
 * Uploads of a signed-in member, which continue while the member moves between pages. `onLanded` is called for
 * every folder that received something.
 */
export function UploadProvider({
  user,
  onLanded,
  children,
}: {
  user: string;
  onLanded: (folderId: string) => void;
  children: ReactNode;
}) {
  const call = useCall();
  const t = useT();
  const [question, setQuestion] = useState<Question | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const pickedFor = useRef<Target | null>(null);
  const [queue] = useState(() =>
    typeof document === 'undefined'
      ? undefined
      : createUploadQueue({
          call,
          user,
          freshKey: randomHex,
          now: Date.now,
          sleep: pause,
          online: untilOnline,
          records: createResumeRecords(user, globalThis.localStorage, Date.now),
        }),
  );
  useEffect(() => queue?.onLanded(onLanded), [queue, onLanded]);

  const add = useCallback(
    (batch: Batch, target: Target): void => {
      const ask = (conflict: Conflict): Promise<ConflictAnswer | null> =>
        new Promise((resolve) =>
          setQuestion({
            conflict,
            answer(given) {
              setQuestion(null);
              resolve(given);
            },
          }),
        );
      queue
        ?.add(batch, target, ask)
        .catch((error: unknown) => toast.show({ text: errorText(t, error), tone: 'danger' }));
    },
    [queue, t],
  );

  useEffect(() => {
    const stay = (event: BeforeUnloadEvent): void => {
      if ((queue?.snapshot().totals.pending ?? 0) > 0) event.preventDefault();
    };
    addEventListener('beforeunload', stay);
    return () => removeEventListener('beforeunload', stay);
  }, [queue]);

  const uploads = useMemo<Uploads>(
    () => ({
      queue,
      pick(what, target) {
        const input = picker.current!;
        pickedFor.current = target;
        input.webkitdirectory = what === 'folder';
        input.click();
      },
      take(transfer, target) {
        droppedItems(transfer).then(
          (batch) => add(batch, target),
          (error: unknown) => toast.show({ text: errorText(t, error), tone: 'danger' }),
        );
      },
      add: (files, target) => add(pickedFiles(files), target),
    }),
    [queue, add, t],
  );

  return (
    <UploadContext value={uploads}>
      {children}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-hidden="true"
        data-testid="upload-input"
        onChange={(event) => {
          const batch = pickedFiles(event.currentTarget.files ?? []);
          // Allows the same file to be selected again.
          event.currentTarget.value = '';
          if (pickedFor.current && batch.files.length > 0) add(batch, pickedFor.current);
        }}
      />
      {question && <ConflictDialog conflict={question.conflict} onAnswer={question.answer} />}
    </UploadContext>
  );
}

export function useUploads(): Uploads {
  const uploads = useContext(UploadContext);
  if (!uploads) throw new Error('useUploads needs an UploadProvider above it');
  return uploads;
}

const neverChanges = (): (() => void) => () => {};

/** Current state of the uploads; empty while rendering on the server. */
export function useUploadSnapshot(): UploadSnapshot {
  const { queue } = useUploads();
  return useSyncExternalStore(
    queue?.subscribe ?? neverChanges,
    queue?.snapshot ?? (() => NOTHING),
    () => NOTHING,
  );
}
