import { BlockList, isIP } from 'node:net';

// Public addresses: global unicast without the reserved ranges, from IANA's special-purpose registries. Ranges without
// a single responsible owner are excluded.

const FORBIDDEN_V4 = [
  '0.0.0.0/8', // this host
  '10.0.0.0/8', // private
  '100.64.0.0/10', // behind a carrier's translation; also metadata of some clouds
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // metadata and agents of a cloud, on a public address
  '169.254.0.0/16', // link-local, metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments, metadata
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays from IPv6
  '192.168.0.0/16', // private
  '198.18.0.0/15', // measurements
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];

const GLOBAL_V6 = '2000::/3';
const FORBIDDEN_V6 = [
  '2001::/23', // protocol assignments, Teredo, ORCHID, measurements
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries any IPv4 address
  '3fff::/20', // documentation
];

/** IPv6 networks with an IPv4 address in their last 32 bits: mapped, and translated (NAT64). */
const CARRIERS_OF_V4 = ['::ffff:', '64:ff9b::'];

/** Adds a network and its IPv6-mapped forms. Throws a TypeError if it is not a network. */
function add(list: BlockList, network: string): void {
  const [address = '', length = ''] = network.split('/');
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  const prefix = length === '' ? most : Number(length);
  if (!family || !/^\d{0,3}$/.test(length) || prefix > most) throw new TypeError(`Not a network: ${network}`);
  if (family === 6) return list.addSubnet(address, prefix, 'ipv6');
  list.addSubnet(address, prefix, 'ipv4');
  for (const carrier of CARRIERS_OF_V4) list.addSubnet(carrier + address, 96 + prefix, 'ipv6');
}

/** Parses networks (CIDR, or single addresses). Throws a TypeError if one of them is invalid. */
export function networksOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) add(list, network);
  return list;
}

const forbidden = networksOf([...FORBIDDEN_V4, ...FORBIDDEN_V6]);
const possible = networksOf(['0.0.0.0/0', GLOBAL_V6]);
const none = new BlockList();

/** Returns whether an address (as recognized by `isIP`) is public unicast or in one of the allowed networks. */
export function isReachable(address: string, allowed: BlockList = none): boolean {
  // An address with a zone belongs to one of this machine's own networks.
  const family = address.includes('%') ? 0 : isIP(address);
  if (!family) return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  if (allowed.check(address, kind)) return true;
  return possible.check(address, kind) && !forbidden.check(address, kind);
}
