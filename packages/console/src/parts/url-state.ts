import { useSearchParams } from 'react-router';

/** Changes some texts in the address at once, and leaves the others; empty texts leave no trace. */
export function useUrlChange(): (values: Record<string, string | undefined>) => void {
  const [, setParams] = useSearchParams();
  return (values) => {
    // As it is by now: one event may change it several times.
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(values)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    setParams(next, { replace: true });
  };
}

/** A text that is kept in the address, so that a page can be sent as it is. */
export function useUrlState(name: string): [value: string, set: (value: string) => void] {
  const [params] = useSearchParams();
  const change = useUrlChange();
  return [params.get(name) ?? '', (value) => change({ [name]: value })];
}
