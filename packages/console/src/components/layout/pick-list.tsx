import { MAX_SEARCH } from '@mooring/contract';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './pick-list.module.css';

export interface Pick {
  /** Unique in the list. */
  id: string;
  label: string;
  detail?: string | undefined;
  icon?: ReactNode;
  /** Target page, or action. */
  to?: string;
  run?: () => void;
}

export interface PickGroup {
  heading: string;
  picks: Pick[];
}

interface PickListProps {
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  groups: PickGroup[];
  /** Text for an empty list. */
  empty: string;
  onPick: (pick: Pick, isNewTab: boolean) => void;
  children?: ReactNode;
}

/** A search field with results, picked by arrow keys and Enter or by mouse. */
export function PickList({ label, placeholder, text, onText, groups, empty, onPick, children }: PickListProps) {
  const id = useId();
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const shown = groups.filter(({ picks }) => picks.length > 0);
  const picks = shown.flatMap((group) => group.picks);
  const here = Math.min(at, Math.max(picks.length - 1, 0));
  const optionId = (pick: Pick) => `${id}-${pick.id}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the highlighted option depends on both.
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [here, text]);

  const press = (event: KeyboardEvent) => {
    const last = picks.length - 1;
    const steps: Record<string, number> = {
      ArrowDown: here === last ? 0 : here + 1,
      ArrowUp: here === 0 ? last : here - 1,
      PageDown: Math.min(here + 8, last),
      PageUp: Math.max(here - 8, 0),
    };
    const next = steps[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setAt(Math.max(next, 0));
    }
    const chosen = picks[here];
    if (event.key === 'Enter' && chosen && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onPick(chosen, event.ctrlKey || event.metaKey);
    }
  };

  return (
    <div>
      <input
        className={classes.input}
        role="combobox"
        aria-label={label}
        aria-expanded={picks.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={picks[here] && optionId(picks[here])}
        placeholder={placeholder}
        value={text}
        onChange={({ currentTarget }) => {
          onText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
        maxLength={MAX_SEARCH}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
      />
      <div id={`${id}-list`} ref={list} role="listbox" aria-label={label} className={classes.list}>
        {shown.map(({ heading, picks }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox.
          <div key={heading} role="group" aria-label={heading}>
            <div className={classes.heading} aria-hidden>
              {heading}
            </div>
            {picks.map((pick) => (
              <Option
                key={pick.id}
                id={optionId(pick)}
                pick={pick}
                isCurrent={pick === picksAt(shown, here)}
                onPick={onPick}
              />
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={picks.length === 0 ? classes.empty : classes.hidden}>
        {picks.length === 0 ? empty : `${picks.length} found`}
      </p>
      {children}
    </div>
  );
}

const picksAt = (groups: PickGroup[], at: number): Pick | undefined => groups.flatMap(({ picks }) => picks)[at];

interface OptionProps {
  id: string;
  pick: Pick;
  isCurrent: boolean;
  onPick: (pick: Pick, isNewTab: boolean) => void;
}

function Option({ id, pick, isCurrent, onPick }: OptionProps) {
  const { label, detail, icon } = pick;
  const click = (event: MouseEvent) => onPick(pick, event.ctrlKey || event.metaKey);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the focused field handles the keys.
    <div id={id} role="option" tabIndex={-1} aria-selected={isCurrent} className={classes.option} onClick={click}>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <span className={classes.label}>{label}</span>
      {detail && <span className={classes.detail}>{detail}</span>}
    </div>
  );
}
