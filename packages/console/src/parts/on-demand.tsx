import { type ComponentType, type ReactElement, useLayoutEffect, useRef, useState } from 'react';
import { toast } from './toasts.ts';

/** What a button takes that opens something, beside what it shows. */
interface OpenerProps {
  'aria-haspopup'?: 'menu' | 'dialog';
  'aria-expanded'?: boolean;
  onPointerEnter?: () => void;
  onFocus?: () => void;
  onClick?: () => void;
}

export interface Opened {
  /** The button that it belongs to. */
  target: ReactElement<OpenerProps>;
}

interface OnDemandProps<Props> {
  opens: 'menu' | 'dialog';
  load: () => Promise<{ default: ComponentType<Props & Opened> }>;
  /** What it is given. */
  to: Props;
  button: (opener: OpenerProps) => Opened['target'];
}

/**
 * A button, and the menu or dialog that it opens, which is fetched when somebody comes near: few of those who see a page open
 * what it could open.
 */
export function OnDemand<Props extends object>({ opens, load, to, button }: OnDemandProps<Props>) {
  const [Part, setPart] = useState<ComponentType<Props & Opened>>();
  const frame = useRef<HTMLSpanElement>(null);
  const isPressed = useRef(false);
  // The press that fetched it counts for the button that has now taken the place.
  useLayoutEffect(() => {
    if (!Part || isPressed.current) return;
    isPressed.current = true;
    const pressed = frame.current?.querySelector('button');
    pressed?.focus();
    pressed?.click();
  }, [Part]);
  const loadSoon = () => void load().catch(() => undefined);
  const press = () =>
    void load().then(
      (found) => setPart(() => found.default),
      () => toast('This could not be loaded. Try again in a moment.'),
    );
  return (
    <span ref={frame} style={{ display: 'contents' }}>
      {Part ? (
        <Part {...to} target={button({})} />
      ) : (
        button({
          'aria-haspopup': opens,
          'aria-expanded': false,
          onPointerEnter: loadSoon,
          onFocus: loadSoon,
          onClick: press,
        })
      )}
    </span>
  );
}
