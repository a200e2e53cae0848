import { setTimeout as sleep } from 'node:timers/promises';
import { openOrigin } from '../server/testing/index.ts';
import { Client } from './client.ts';
import { openCluster } from './cluster.ts';
import { openEmbedded } from './embedded.ts';
import { Findings } from './findings.ts';
import { Member } from './member.ts';
import { seeded, type Random } from './random.ts';
import type { OpenSetup, Setup } from './setup.ts';
import { TaskMaker } from './tasks.ts';

// A crash campaign: members use the product while its processes, its database and its disks fail; afterwards,
// everything that was acknowledged must be there. `npm run campaign -- MINUTES SEED [embedded|cluster]`

const setups: Readonly<Record<string, OpenSetup>> = { embedded: openEmbedded, cluster: openCluster };
const MEMBERS = 5;
const PASSWORD = 'a bower of blue things';

const [minutes = '10', seed = String(Date.now() % 2 ** 31), only] = process.argv.slice(2);
if (!(Number(minutes) > 0) || (only !== undefined && !Object.hasOwn(setups, only))) {
  process.stderr.write('Usage: npm run campaign -- MINUTES SEED [embedded|cluster]\n');
  process.exit(2);
}
for (const [name, open] of Object.entries(setups))
  if (only === undefined || only === name) await runCampaign(open, Number(minutes) * 60_000, seed);

async function runCampaign(open: OpenSetup, length: number, seed: string): Promise<void> {
  const findings = new Findings();
  await using setup = await open(findings);
  await using origin = await openOrigin();
  const random = seeded(`${seed}/${setup.name}`);
  process.stdout.write(`${setup.name}: ${length / 60_000} minutes, seed ${seed}\n`);
  const clients = await signUp(setup, random, findings);
  const members = clients
    .slice(0, MEMBERS)
    .map((client, at) => new Member(`member ${at + 1}`, client, random.fork(`member ${at}`), findings));
  const tasks = new TaskMaker(
    clients[MEMBERS]!,
    clients[MEMBERS + 1]!,
    origin,
    random.fork('tasks'),
    findings,
  );

  const end = performance.now() + length;
  const goOn = (): boolean => performance.now() < end;
  const work = [...members, tasks].map(async (actor) => {
    while (goOn()) await actor.step();
  });
  const faults = random.fork('faults');
  while (goOn()) {
    await sleep(faults.between(3_000, 10_000));
    const fault = faults.pick(setup.faults);
    process.stdout.write(`${new Date().toISOString()} ${fault.name}\n`);
    await fault.happen(faults);
    findings.count(fault.name);
  }
  await Promise.all(work);
  await Promise.all([...members, tasks].map((actor) => actor.verify()));
  const { code, output } = await setup.stopAndCheck();
  if (code !== 0) findings.add(`check: ${output.trim()}`);
  report(setup.name, findings);
}

async function signUp(setup: Setup, random: Random, findings: Findings): Promise<Client[]> {
  const emails = Array.from({ length: MEMBERS + 2 }, (_, at) => `member${at + 1}@example.org`);
  for (const email of emails) await setup.addMember(email, PASSWORD);
  await setup.start();
  const clients = emails.map(
    (email) => new Client(() => setup.origins(), { email, password: PASSWORD }, random.fork(email), findings),
  );
  for (const client of clients) await client.signIn();
  return clients;
}

function report(name: string, { list, counts }: Findings): void {
  for (const [what, count] of Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    process.stdout.write(`${count}\t${what}\n`);
  process.stdout.write(`${name}: ${list.length === 0 ? 'nothing found' : `${list.length} found`}\n`);
  if (list.length > 0) process.exitCode = 1;
}
