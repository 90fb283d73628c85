import { ActionIcon, Badge, Button, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import {
  IconArrowDown,
  IconChevronDown,
  IconChevronRight,
  IconChevronUp,
  IconDownload,
  IconSearch,
} from '@tabler/icons-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { download } from '../../../components/tables/download.ts';
import { formatCount } from '../../../components/text/format-count.ts';
import { plainText, toSpans } from './ansi.ts';
import { findLines, type Row, type Stage, splitStages, toRows } from './log-lines.ts';
import classes from './log-view.module.css';

const ROW = 21;
/** Extra rows above and below, so that scrolling shows no gaps. */
const BEYOND = 30;
/** Short logs start expanded. */
const FEW = 200;

interface LogViewProps {
  lines: readonly string[];
  isLive: boolean;
  /** Reason of the failure; starts with the title of a stage. */
  failure?: string | undefined;
  fileName: string;
}

/** A build log with collapsible stages; renders only visible lines. */
export function LogView({ lines, isLive, failure, fileName }: LogViewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const { hash } = useLocation();
  const linked = Number(/^#L(\d{1,9})$/.exec(hash)?.[1] ?? 0) - 1;
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [first, setFirst] = useState(0);
  const [isFollowed, setFollowed] = useState(linked < 0);
  const [typed, setTyped] = useState('');
  const [current, setCurrent] = useState(0);
  const searched = useDeferredValue(typed);

  const count = lines.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines are only appended
  const stages = useMemo(() => splitStages(lines), [lines, count]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const matches = useMemo(() => findLines(lines, searched), [lines, count, searched]);
  const matchingLines = useMemo(() => new Set(matches), [matches]);
  const marked = matches.length > 0 ? matches[Math.min(current, matches.length - 1)] : linked;

  const isOpenStage = (stage: Stage): boolean =>
    toggled.get(stage.from) ??
    (count <= FEW || stage === stages.at(-1) || Boolean(failure?.startsWith(`${stage.title} failed`)));
  const rows = toRows(stages, isOpenStage);
  const seen = Math.ceil((frame.current?.clientHeight ?? 800) / ROW);
  const begin = Math.max(0, Math.min(first, rows.length - seen) - BEYOND);
  const shown = rows.slice(begin, begin + seen + 2 * BEYOND);

  const open = (line: number) => {
    const stage = stages.find(({ from, until }) => line >= from && line < until);
    if (stage && !isOpenStage(stage)) setToggled(new Map(toggled).set(stage.from, true));
  };
  const findRow = (line: number) =>
    rows.findIndex((row) => ('line' in row ? row.line === line : row.stage.heading === line));

  // Opens the stage of the linked or found line, and scrolls to the line once it is rendered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once, when the line exists
  useEffect(() => {
    if (marked === undefined || marked < 0 || marked >= count) return;
    open(marked);
  }, [marked, marked !== undefined && marked < count]);
  const target = marked === undefined || marked < 0 ? -1 : findRow(marked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (target < 0 || !frame.current) return;
    frame.current.scrollTop = Math.max(0, (target - 5) * ROW);
    frame.current.scrollLeft = 0;
  }, [marked, target >= 0]);
  useEffect(() => {
    if (isLive && isFollowed && frame.current) frame.current.scrollTop = rows.length * ROW;
  }, [isLive, isFollowed, rows.length]);

  const step = (by: number) => setCurrent((at) => (at + by + matches.length) % Math.max(1, matches.length));
  const isAnyFolded = stages.some((stage) => !isOpenStage(stage));
  const foldAll = () => setToggled(new Map(stages.map(({ from }) => [from, isAnyFolded])));
  return (
    <Stack gap="xs">
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <TextInput
            size="xs"
            type="search"
            aria-label="Search log"
            placeholder="Search log"
            leftSection={<IconSearch size={14} aria-hidden />}
            value={typed}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              setCurrent(0);
              setFollowed(false);
            }}
            onKeyDown={({ key, shiftKey }) => key === 'Enter' && step(shiftKey ? -1 : 1)}
          />
          {searched.trim() && (
            <>
              <Text size="xs" role="status">
                {matches.length === 0
                  ? 'No matches'
                  : `${Math.min(current, matches.length - 1) + 1} of ${matches.length.toLocaleString()}`}
              </Text>
              <ActionIcon variant="default" size="sm" aria-label="Previous match" onClick={() => step(-1)}>
                <IconChevronUp size={14} aria-hidden />
              </ActionIcon>
              <ActionIcon variant="default" size="sm" aria-label="Next match" onClick={() => step(1)}>
                <IconChevronDown size={14} aria-hidden />
              </ActionIcon>
            </>
          )}
        </Group>
        <Group gap="xs">
          {isLive && <Badge color="blue">Live</Badge>}
          {isLive && !isFollowed && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconArrowDown size={14} aria-hidden />}
              onClick={() => setFollowed(true)}
            >
              Follow
            </Button>
          )}
          {stages.length > 1 && (
            <Button variant="default" size="xs" onClick={foldAll}>
              {isAnyFolded ? 'Expand all' : 'Collapse all'}
            </Button>
          )}
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => download(fileName, 'text/plain', lines.map(plainText).join('\n'))}
          >
            Download log
          </Button>
        </Group>
      </Group>
      <section
        ref={frame}
        className={classes.frame}
        aria-label="Log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
        tabIndex={0}
        onScroll={({ currentTarget }) => {
          const { scrollTop, clientHeight, scrollHeight } = currentTarget;
          setFirst(Math.floor(scrollTop / ROW));
          // With a marked line, scrolling to the end does not start following.
          const isAtEnd = scrollTop + clientHeight >= scrollHeight - 2 * ROW;
          if (isLive && (isFollowed || marked === undefined || marked < 0)) setFollowed(isAtEnd);
        }}
      >
        <div className={classes.all} style={{ height: rows.length * ROW }}>
          <div className={classes.window} style={{ transform: `translateY(${begin * ROW}px)` }}>
            {shown.map((row) => (
              <RowView
                key={'stage' in row ? `s${row.stage.from}` : row.line}
                row={row}
                text={'line' in row ? (lines[row.line] ?? '') : ''}
                isOpen={'stage' in row && isOpenStage(row.stage)}
                look={
                  'line' in row && row.line === marked
                    ? classes.marked
                    : 'line' in row && matchingLines.has(row.line)
                      ? classes.found
                      : undefined
                }
                onToggle={(stage) => setToggled(new Map(toggled).set(stage.from, !isOpenStage(stage)))}
                onLink={(line) => {
                  setFollowed(false);
                  void navigate({ hash: `L${line + 1}` }, { replace: true, preventScrollReset: true });
                }}
              />
            ))}
          </div>
        </div>
      </section>
    </Stack>
  );
}

interface RowViewProps {
  row: Row;
  text: string;
  isOpen: boolean;
  look: string | undefined;
  onToggle: (stage: Stage) => void;
  onLink: (line: number) => void;
}

function RowView({ row, text, isOpen, look, onToggle, onLink }: RowViewProps) {
  if ('stage' in row) {
    const { stage } = row;
    const Icon = isOpen ? IconChevronDown : IconChevronRight;
    const count = stage.until - stage.from;
    return (
      <UnstyledButton className={classes.stage} aria-expanded={isOpen} onClick={() => onToggle(stage)}>
        <Icon size={14} aria-hidden />
        {stage.title}
        <span className={classes.count}>{formatCount(count, 'line')}</span>
      </UnstyledButton>
    );
  }
  const number = row.line + 1;
  return (
    <div className={`${classes.line} ${look ?? ''}`}>
      <a
        className={classes.number}
        href={`#L${number}`}
        aria-label={`Link to line ${number}`}
        onClick={(event) => {
          event.preventDefault();
          onLink(row.line);
        }}
      >
        {number}
      </a>
      <LineText text={text} />
    </div>
  );
}

/** Longer lines are truncated. */
const MAX_LINE_LENGTH = 5000;

function LineText({ text }: { text: string }) {
  const cut = text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)} …` : text;
  if (cut.startsWith('## ')) return <span className={classes.note}>{cut.slice(3)}</span>;
  return (
    <span>
      {toSpans(cut).map(({ text: piece, color, isBold, isDimmed }, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
          key={at}
          className={[isBold ? classes.bold : '', isDimmed ? classes.dimmed : ''].join(' ')}
          style={color === undefined ? undefined : { color: `var(--c${color})` }}
        >
          {piece}
        </span>
      ))}
    </span>
  );
}
