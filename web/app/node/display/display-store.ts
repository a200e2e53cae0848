const DATABASE = 'display_mode';
const STORE = 'display_mode';

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('no storage')));
    request.addEventListener('blocked', () => reject(new Error('no storage')));
  });
  return opened;
}

async function run<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const database = await open();
    return await new Promise<T>((resolve, reject) => {
      const request = ask(database.transaction(STORE, mode).objectStore(STORE));
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('no storage')));
    });
  } catch {
    // Private windows and full disks have no storage: the display mode is then the default one.
    opened = undefined;
    return undefined;
  }
}

/** Returns a stored record; `undefined` if there is none or storage fails. */
export function readRecord(key: string): Promise<unknown> {
  return run<unknown>('readonly', (store) => store.get(key) as IDBRequest<unknown>);
}

export async function writeRecord(key: string, value: unknown): Promise<void> {
  await run('readwrite', (store) => store.put(value, key));
}
