import { spawn } from 'node:child_process';

/** A request, without its body. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Request whose body is a file. */
export interface FileRequest extends HttpRequest {
  readonly file: string;
}

async function run(args: readonly string[], input = ''): Promise<string> {
  const curl = spawn('curl', ['--silent', '--show-error', '--fail', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  curl.stdin.end(input);
  const told = Buffer.concat(await Array.fromAsync<Buffer>(curl.stdout)).toString();
  if (curl.exitCode === null) await new Promise((resolve) => curl.once('exit', resolve));
  if (curl.exitCode !== 0) throw new Error(`curl ended with ${curl.exitCode}`);
  return told;
}

/**
 * Sends requests one after another over one connection, like a client written in C: CPU time used by the client isn't
 * available to the server. Returns the ETags of the replies; a reply without one has an empty one. `refusal` matches
 * replies that have the status of a success and aren't one.
 */
export async function sendFiles(requests: readonly FileRequest[], refusal?: RegExp): Promise<string[]> {
  const orders = requests.map(({ method, file, url, headers }) =>
    [
      `request = ${method}`,
      `upload-file = ${JSON.stringify(file)}`,
      `url = ${JSON.stringify(url)}`,
      ...Object.entries({ ...headers, expect: '' }).map(
        ([name, value]) => `header = ${JSON.stringify(`${name}: ${value}`)}`,
      ),
      String.raw`write-out = "\netag: %header{etag}\n"`,
    ].join('\n'),
  );
  const told = await run(['--config', '-'], `${orders.join('\nnext\n')}\n`);
  const refused = refusal?.exec(told);
  if (refused) throw new Error(`refused: ${refused[0]}`);
  return [...told.matchAll(/^etag: (.*)$/gm)].map(([, etag]) => etag!);
}

/** Downloads to nowhere. Returns the speed in MiB per second. */
export async function fetchSpeed(url: string): Promise<number> {
  return Number(await run(['--output', '/dev/null', '--write-out', '%{speed_download}', url])) / 2 ** 20;
}
