import { ApiFailure } from '@bowerbird/contract';

/** Rejects callers who are not administrators. */
export function requireOperator({ viewer }: { readonly viewer: { readonly operator: boolean } }): void {
  if (!viewer.operator) throw new ApiFailure('permission_denied');
}
