const EXAMPLE = 'https://user:password@host:8443/database';

/** Fails with the rest of the sentence "the list must be …". */
function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

/** A name in a URL as it was meant; undefined if it is none. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const databaseOf = ({ pathname }: URL): string | undefined => decoded(pathname.slice(1));

/** A server as it is told to people and chosen by: without who asks, and how. */
export const nameOf = (url: URL): string => `${url.host}${url.pathname === '/' ? '' : url.pathname}`;

function readAddress(text: string): URL {
  const what = `addresses such as ${EXAMPLE}, those of replicas with commas between them, shards with spaces`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  must(url !== undefined && /^https?:$/.test(url.protocol), what);
  const found = url as URL;
  must(
    [found.username, found.password].every((part) => decoded(part) !== undefined),
    what,
  );
  must(/^[^/,;\s]*$/.test(databaseOf(found) ?? '/') && found.search === '' && found.hash === '', what);
  return found;
}

/** Addresses by shard. What stands between two of them says whether a replica follows or a shard; what is neither is a part of one. */
function listAddresses(text: string): string[][] {
  const shards: string[][] = [];
  let [address, follows] = ['', 'shard'];
  const end = () => (follows === 'shard' ? shards.push([address]) : shards.at(-1)?.push(address));
  for (const piece of text.trim().split(/(?=https?:\/\/)/)) {
    const bare = address.trimEnd();
    const separator = bare.endsWith(',') ? 'replica' : bare === address ? undefined : 'shard';
    if (separator) {
      address = (separator === 'replica' ? bare.slice(0, -1) : bare).trimEnd();
      end();
      follows = separator;
    }
    address = separator ? piece : address + piece;
  }
  end();
  return shards;
}

/** The servers of each shard. A comma or a space inside of an address, as in a password, is a part of it. */
export function readShards(text: string): URL[][] {
  const shards = listAddresses(text).map((shard) => shard.map(readAddress));
  const names = shards.flat().map(nameOf);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  must(twice === undefined, `a list of servers that names each once, not ${twice} twice`);
  for (const [first, ...others] of shards) {
    const other = others.find(({ pathname }) => pathname !== first?.pathname);
    must(
      other === undefined,
      `a list in which replicas have the same database, as in ${EXAMPLE},${EXAMPLE.replace('host', 'other')}`,
    );
  }
  return shards;
}
