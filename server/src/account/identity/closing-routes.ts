import { closingApi } from '@bowerbird/contract';
import type { Api } from '../../foundation/http/index.ts';
import { timeText } from '../../foundation/index.ts';
import type { Closings } from './closing-service.ts';
import type { SessionTransports } from '../sign-in/index.ts';

export function mountClosings(
  api: Api,
  { closings, transports }: { closings: Closings; transports: SessionTransports },
) {
  api.handle(closingApi.rules, async ({ viewer }) => {
    const { days, isLastOperator } = await closings.rules(viewer.account);
    return { days, last_operator: isLastOperator };
  });

  api.handle(closingApi.begin, async ({ body, viewer, caller }) => {
    const owner = { account: viewer.account, password: body.password, address: caller.address };
    const closesAt = await closings.begin(owner);
    if (viewer.by === 'cookie') transports.clearCookies(caller);
    return { closes_at: timeText(closesAt) };
  });

  api.handle(closingApi.keep, ({ body, caller }) =>
    transports.open(caller, body, (kind, maker) => closings.keep(body.ticket, kind, maker)),
  );
}
