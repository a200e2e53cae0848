import type { ErrorId } from '@bowerbird/contract';
import type { BlobStore, Room } from '@bowerbird/storage';
import type { Accounts, Notices } from '../account/index.ts';
import type { Foundation } from '../foundation/domain/index.ts';
import type { Benefits, Quota, Traffic } from '../membership/index.ts';
import type { Shield } from '../shield/index.ts';
import type { Tasks } from '../task/index.ts';
import type { Thumbnailer } from './download/index.ts';

export interface DriveDeps extends Foundation {
  readonly storage: BlobStore;
  readonly quota: Quota;
  readonly tasks: Tasks;
  readonly traffic: Traffic;
  readonly benefits: Pick<Benefits, 'entitlements' | 'least' | 'trash'>;
  /** Returns why an account may not be used. */
  readonly refusal: (account: string) => Promise<ErrorId | undefined>;
  /** Returns whether files that a member opens and plays are recorded. */
  readonly remembersOpened: (account: string) => Promise<boolean>;
  /** Creates thumbnails of files; without it, files have none. */
  readonly thumbnailer?: Thumbnailer | undefined;
  readonly room: Room;
  readonly accounts: Pick<Accounts, 'find' | 'named'>;
  readonly notices: Pick<Notices, 'tell'>;
  readonly shield: Pick<Shield, 'guard'>;
}
