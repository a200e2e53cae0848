import { BlockList, isIP } from 'node:net';

/** Blocked regions: countries by their two letters, networks as in 192.0.2.0/24. */
export interface AreaRules {
  readonly countries: readonly string[];
  readonly networks: readonly string[];
}

/** Returns whether the service is available to an address, and to a country if it is known. */
export type AreaCheck = (place: { address: string; country: string }) => boolean;

export function createAreaCheck({ countries, networks }: AreaRules): AreaCheck {
  const blocked = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    blocked.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return ({ address, country }) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    const version = isIP(plain);
    if (version !== 0 && blocked.check(plain, version === 6 ? 'ipv6' : 'ipv4')) return false;
    return !countries.includes(country);
  };
}
