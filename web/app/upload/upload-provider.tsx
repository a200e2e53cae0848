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
import { cameraFiles } from './camera-files.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { droppedItems, pickedFiles, type Batch } from './dropped.ts';
import { createPartSizes } from './part/part-sizes.ts';
import { createResumeRecords } from './resume-records.ts';
import type { Conflict, ConflictAnswer } from './name-choices.ts';
import type { Target } from './upload-item.ts';
import { useWakeLock } from './use-wake-lock.ts';
import { createUploadQueue, type UploadQueue } from './upload-queue.ts';
import { NOTHING, type UploadSnapshot } from './upload-snapshot.ts';

interface Uploads {
  readonly queue: UploadQueue | undefined;
  /** Opens the browser's file dialog for files or for a folder, or the camera of a phone. */
  pick(what: 'files' | 'folder' | 'camera', target: Target): void;
  /** Adds dropped files; call it within the event. */
  take(transfer: DataTransfer, target: Target): void;
  /** Adds `File` objects. */
  add(files: readonly File[], target: Target): void;
}

const UploadContext = createContext<Uploads | null>(null);
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
          sizes: createPartSizes(Date.now),
          records: createResumeRecords(user, globalThis.localStorage, Date.now),
        }),
  );
  useEffect(() => queue?.onLanded(onLanded), [queue, onLanded]);
  useWakeLock(usePending(queue));
  const nameOf = (kind: 'photo' | 'video'): string => {
    const now = new Date();
    // Sorts by time in any language.
    const time = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
    const shown = `${time.slice(0, 10)} ${time.slice(11, 19).replaceAll(':', '.')}`;
    return kind === 'photo' ? t('upload.photoName', { time: shown }) : t('upload.videoName', { time: shown });
  };

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
        .then((unmade) => {
          if (unmade > 0) toast.show({ text: t('upload.foldersFailed', { count: unmade }), tone: 'danger' });
        })
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
        input.multiple = what !== 'camera';
        input.accept = what === 'camera' ? 'image/*,video/*' : '';
        if (what === 'camera') input.setAttribute('capture', 'environment');
        else input.removeAttribute('capture');
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
          const input = event.currentTarget;
          const files = [...(input.files ?? [])];
          const batch = pickedFiles(input.hasAttribute('capture') ? cameraFiles(files, nameOf) : files);
          // Allows the same file to be selected again.
          input.value = '';
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

/** Returns true while uploads proceed. */
function usePending(queue: UploadQueue | undefined): boolean {
  return useSyncExternalStore(
    queue?.subscribe ?? neverChanges,
    () => (queue?.snapshot().totals.pending ?? 0) > 0,
    () => false,
  );
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
