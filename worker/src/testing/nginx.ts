import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Nginx {
  /** Files in this folder are served. */
  readonly files: string;
  url(path: string): string;
  /** Bytes of bodies that were sent. */
  served(): Promise<number>;
  close(): Promise<void>;
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Starts nginx on loopback. */
export async function startNginx(): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-nginx-'));
  // If started by root, its workers run as another user.
  await chmod(folder, 0o755);
  const files = join(folder, 'files');
  await mkdir(files);
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const temporary = TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  const access = join(folder, 'access.log');
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr crit; events {}
     http { ${temporary} log_format bytes $body_bytes_sent; access_log ${access} bytes; sendfile on;
       server { listen 127.0.0.1:${port}; root ${files}; } }`,
  );
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
  const url = (path: string): string => `http://127.0.0.1:${port}${path}`;
  for (;;) if (await fetch(url('/'), { method: 'HEAD' }).catch(() => undefined)) break;
  return {
    files,
    url,
    async served() {
      const lines = (await readFile(access, 'utf8')).trim().split('\n');
      return lines.reduce((sum, line) => sum + Number(line), 0);
    },
    async close() {
      const ended = once(nginx, 'exit');
      nginx.kill('SIGQUIT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
