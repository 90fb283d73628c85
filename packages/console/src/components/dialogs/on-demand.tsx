import { type ComponentType, type ReactElement, useLayoutEffect, useRef, useState } from 'react';
import { toast } from '../feedback/toasts.ts';

/** Props of a button that opens something. */
interface OpenerProps {
  'aria-haspopup'?: 'menu' | 'dialog';
  'aria-expanded'?: boolean;
  onPointerEnter?: () => void;
  onFocus?: () => void;
  onClick?: () => void;
}

export interface Opened {
  /** The button's element. */
  target: ReactElement<OpenerProps>;
}

interface OnDemandProps<Props> {
  opens: 'menu' | 'dialog';
  load: () => Promise<{ default: ComponentType<Props & Opened> }>;
  /** Props of the opened component. */
  to: Props;
  button: (opener: OpenerProps) => Opened['target'];
}

/** A button whose menu or dialog loads when the pointer or focus comes near: most page visits never open it. */
export function OnDemand<Props extends object>({ opens, load, to, button }: OnDemandProps<Props>) {
  const [Content, setContent] = useState<ComponentType<Props & Opened>>();
  const frame = useRef<HTMLSpanElement>(null);
  const isPressed = useRef(false);
  // Repeats the click that loaded the component on the button that replaced this one.
  useLayoutEffect(() => {
    if (!Content || isPressed.current) return;
    isPressed.current = true;
    const pressed = frame.current?.querySelector('button');
    pressed?.focus();
    pressed?.click();
  }, [Content]);
  const loadSoon = () => void load().catch(() => undefined);
  const press = () =>
    void load().then(
      (module) => setContent(() => module.default),
      () => toast("Couldn't load this dialog. Try again."),
    );
  return (
    <span ref={frame} style={{ display: 'contents' }}>
      {Content ? (
        <Content {...to} target={button({})} />
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
