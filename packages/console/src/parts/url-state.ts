import { useSearchParams } from 'react-router';

/** A text that is kept in the address, so that a page can be sent as it is; empty texts leave no trace. */
export function useUrlState(name: string): [value: string, set: (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const set = (value: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return [params.get(name) ?? '', set];
}
