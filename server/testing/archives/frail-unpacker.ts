import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import type { UnpackOrder } from '@bowerbird/contract';

// Takes the place of the worker, and does what an engine might do after an archive has taken control of it.

const codeOf = (deed: () => void): string => {
  try {
    deed();
    return 'allowed';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
};

const reach = (): Promise<string> =>
  new Promise((resolve) => {
    try {
      connect(9, '127.0.0.1').once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    } catch (error) {
      resolve((error as NodeJS.ErrnoException).code ?? '');
    }
  });

process.once('message', ({ args: [deed], frames }: UnpackOrder) => {
  const say = (kind: string, length: number, payload = Buffer.alloc(0)): void => {
    const head = Buffer.alloc(5);
    head.write(kind);
    head.writeUInt32LE(length, 1);
    writeSync(frames, Buffer.concat([head, payload]));
  };
  if (deed === 'dies') process.kill(process.pid, 'SIGSEGV');
  else if (deed === 'hangs') for (;;);
  else if (deed === 'asks') {
    const wish = Buffer.alloc(12);
    wish.writeBigUInt64LE(4n);
    wish.writeUInt32LE(7, 8);
    say('w', 12, wish);
    setInterval(() => undefined, 1000);
  } else if (deed === 'shouts') {
    say('o', 0xfffffff0);
    setInterval(() => undefined, 1000);
  } else if (deed === 'tries')
    void reach().then((connected) => {
      const text = JSON.stringify({
        read: codeOf(() => readFileSync('/etc/passwd')),
        write: codeOf(() => writeFileSync('/tmp/feather', '')),
        run: codeOf(() => execFileSync('true')),
        connect: connected,
        environment: Object.keys(process.env).filter((name) => !name.startsWith('NODE_')),
      });
      say('t', Buffer.byteLength(text), Buffer.from(text));
      say('e', 1, Buffer.from([0]));
    });
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
