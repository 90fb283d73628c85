import { createContext, useContext, useLayoutEffect } from 'react';

type Guard = (loss: string | undefined) => void;
export const DialogContext = createContext<Guard | undefined>(undefined);

/** Says what is lost when the dialog around is closed; then Escape asks first. Outside of a dialog it does nothing. */
export function useDialogGuard(loss: string | undefined): void {
  const guard = useContext(DialogContext);
  // Before it is drawn: a key that follows at the same moment must not close the dialog unasked.
  useLayoutEffect(() => {
    guard?.(loss);
    return () => guard?.(undefined);
  }, [guard, loss]);
}
