import { siteApi, type Channel, type PageServices } from '@bowerbird/contract';

/** App that the operator offers. */
export interface Offer {
  readonly channel: Channel;
  readonly version: string;
  readonly url: string;
}

/**
 * Returns the operator's offers for some channels, in the operator's order; only the first of each channel
 * counts.
 */
export async function offers({ call }: PageServices, channels: readonly Channel[]): Promise<Offer[]> {
  const { downloads } = await call(siteApi.publicDownloads, {});
  return channels.flatMap((channel) => {
    const found = downloads.find(({ platform }) => platform === channel);
    return found ? [{ channel, version: found.version, url: found.url }] : [];
  });
}
