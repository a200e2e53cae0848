import { siteApi, type Channel, type PageServices } from '@bowerbird/contract';

/** A program that the operator offers. */
export interface Offer {
  readonly channel: Channel;
  readonly version: string;
  readonly url: string;
}

/** What the operator offers through some channels, in their order; the first of each counts. */
export async function offers({ call }: PageServices, channels: readonly Channel[]): Promise<Offer[]> {
  const { downloads } = await call(siteApi.publicDownloads, {});
  return channels.flatMap((channel) => {
    const found = downloads.find(({ platform }) => platform === channel);
    return found ? [{ channel, version: found.version, url: found.url }] : [];
  });
}
