import {
  PLACE,
  type Environment,
  type Place,
  type ServerMessage,
  type SupervisorMessage,
} from './messages.ts';

/** Reactions of a process to each message of its supervisor. */
type Orders = {
  readonly [Type in SupervisorMessage['type']]: (
    message: Extract<SupervisorMessage, { readonly type: Type }>,
  ) => void;
};

/** This server process as one of several, seen from inside. */
export interface Group extends Place {
  /** Reports to the supervisor that this process answers requests on a port. Afterwards it may be told to lead. */
  ready(port: number, orders: Orders): void;
  /** Wakes the background work of the leader. */
  wakeLeader(): void;
  /** Reports to all processes that the disk has lost a write to the database. */
  writeLost(): void;
  /** Passes texts on to all other processes. */
  tellOthers(texts: readonly string[]): void;
  /** Resolves if the supervisor has ended. */
  readonly abandoned: Promise<void>;
}

/** Undefined if this process is not one of several. */
export function joinGroup(environment: Environment): Group | undefined {
  const place = environment[PLACE];
  if (place === undefined || !process.send) return undefined;
  const say = (message: ServerMessage): void => {
    if (process.connected) process.send!(message, undefined, undefined, () => {});
  };
  return {
    ...(JSON.parse(place) as Place),
    ready(port, orders) {
      process.on('message', (message: SupervisorMessage) => orders[message.type](message as never));
      // The listening server keeps this process alive, until it is stopped.
      process.channel?.unref();
      say({ type: 'ready', port });
    },
    wakeLeader: () => say({ type: 'wake' }),
    writeLost: () => say({ type: 'write-lost' }),
    tellOthers: (texts) => say({ type: 'told', texts }),
    abandoned: new Promise((resolve) => {
      process.once('disconnect', resolve);
      if (!process.connected) resolve();
    }),
  };
}
