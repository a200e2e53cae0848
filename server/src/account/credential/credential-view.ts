import type { Pass } from '@bowerbird/contract';
import { maybeTimeText, timeText } from '../../foundation/index.ts';
import type { PassRow } from './pass.ts';

/** A pass as its owner sees it: never its secret. */
export function passView(pass: PassRow): Pass {
  return {
    id: pass.id,
    kind: pass.kind,
    name: pass.name,
    scopes: pass.scopes as Pass['scopes'],
    created_at: timeText(pass.createdAt),
    expires_at: maybeTimeText(pass.expiresAt),
    used_at: maybeTimeText(pass.usedAt),
    used_from: pass.usedFrom,
  };
}
