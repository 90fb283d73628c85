import { createContext, useContext, useLayoutEffect } from 'react';

type Guard = (consequence: string | undefined) => void;
export const DialogContext = createContext<Guard | undefined>(undefined);

/** Asks with this consequence before the surrounding dialog closes. Has no effect outside a dialog. */
export function useDialogGuard(consequence: string | undefined): void {
  const guard = useContext(DialogContext);
  // A layout effect, so that a key press right after the change can't close the dialog unasked.
  useLayoutEffect(() => {
    guard?.(consequence);
    return () => guard?.(undefined);
  }, [guard, consequence]);
}
