import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { BlobStore } from '@bowerbird/storage';

/** Demuxers by format, set explicitly: playlist formats, which refer to other files or addresses, are excluded. */
const DEMUXERS: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'video/x-matroska': 'matroska',
  'video/x-msvideo': 'avi',
};
const SECONDS = 12;
const MOST_BYTES = 32 * 1024 * 1024;

/** Returns one frame of a video as PNG. Runs ffmpeg, found on `path`, in a process with its own limits. */
export async function takeFrame(
  storage: BlobStore,
  key: string,
  mime: string,
  path: string,
): Promise<Buffer> {
  const demuxer = DEMUXERS[mime];
  if (demuxer === undefined) throw new Error(`${mime} is not a supported video format`);
  const { server, url } = await serve(storage, key);
  try {
    return await run(path, demuxer, url);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Serves the bytes to ffmpeg, which needs to seek, over loopback at a secret path. ffmpeg may open nothing else. */
async function serve(storage: BlobStore, key: string): Promise<{ server: Server; url: string }> {
  const path = `/${randomBytes(24).toString('hex')}`;
  const size = (await storage.stat(key))?.size ?? 0;
  const server = createServer((request, response) => {
    const [, from = '0', to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const start = Number(from);
    const end = Math.min(to ? Number(to) : size - 1, size - 1);
    if (request.url !== path || !(start <= end)) {
      response.writeHead(request.url === path ? 416 : 404).end();
      return;
    }
    response.writeHead(206, {
      'accept-ranges': 'bytes',
      'content-range': `bytes ${start}-${end}/${size}`,
      'content-length': end - start + 1,
    });
    storage
      .open(key, { start, end })
      .then(({ stream }) => pipeline(stream, response))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}` };
}

function run(path: string, demuxer: string, url: string): Promise<Buffer> {
  const given = [
    '-hide_banner',
    '-loglevel',
    'error',
    '-nostdin',
    '-threads',
    '1',
    '-protocol_whitelist',
    'http,tcp',
    '-f',
    demuxer,
  ];
  const wanted = [
    '-map',
    '0:v:0',
    '-frames:v',
    '1',
    '-vf',
    "scale='min(1280,iw)':-2",
    '-f',
    'image2pipe',
    '-c:v',
    'png',
    'pipe:1',
  ];
  const ffmpeg = spawn('ffmpeg', [...given, '-i', url, ...wanted], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: path },
  });
  const timer = setTimeout(() => ffmpeg.kill('SIGKILL'), SECONDS * 1000);
  return new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    ffmpeg.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) ffmpeg.kill('SIGKILL');
      else chunks.push(chunk);
    });
    ffmpeg.on('error', reject);
    ffmpeg.on('close', (code) =>
      code === 0 && bytes > 0
        ? resolve(Buffer.concat(chunks))
        : reject(new Error('could not extract a frame')),
    );
  }).finally(() => clearTimeout(timer));
}
