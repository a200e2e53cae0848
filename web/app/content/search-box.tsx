import { Search } from 'lucide-react';

/** Search field that filters as the user types; with a name, it also works in a form without scripts. */
export function SearchBox({
  label,
  name,
  query,
  onQuery,
}: {
  label: string;
  name?: string;
  query: string;
  onQuery: (query: string) => void;
}) {
  return (
    <label className="relative mt-8 block max-w-140">
      <span className="sr-only">{label}</span>
      <Search aria-hidden="true" className="absolute top-1/2 left-4 -translate-y-1/2 text-ink-3" />
      <input
        type="search"
        name={name}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        placeholder={label}
        autoComplete="off"
        className="field h-12! w-full pl-12! text-16!"
      />
    </label>
  );
}

/** Announces the number of results to screen readers, and shows a message if there are none. */
export function SearchResult({
  query,
  count,
  found,
  nothing,
}: {
  query: string;
  count: number;
  found: string;
  nothing: string;
}) {
  return (
    <p role="status" className={count === 0 ? 'mt-10 text-ink-2' : 'sr-only'}>
      {query.trim() !== '' && (count === 0 ? nothing : found)}
    </p>
  );
}
