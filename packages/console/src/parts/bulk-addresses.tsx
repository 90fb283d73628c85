import { Button, FileButton, Group, List, Progress, Stack, Text, Textarea } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { DialogButtons } from './dialog-buttons.tsx';
import { useDialogGuard } from './dialog-guard.ts';
import { readAddresses } from './email-addresses.ts';
import { reasonOf } from './failure.tsx';

export interface AddressResult {
  email: string;
  /** Why it was refused; undefined when it went well. */
  refusal: string | undefined;
}

interface BulkAddressesProps {
  /** What the button says, for so many people. */
  action: (count: number) => string;
  /** What was done to those that were not refused. */
  done: string;
  /** How many go in one call. */
  batch: number;
  send: (emails: string[]) => Promise<AddressResult[]>;
  onSent: () => unknown;
  onClose: () => void;
  /** What has to be said beside the addresses. */
  children?: ReactNode;
}

/** One address or thousands, typed, pasted or from a file: each gets an answer of its own. */
export function BulkAddresses({ action, done, batch, send, onSent, onClose, children }: BulkAddressesProps) {
  const [text, setText] = useState('');
  const [results, setResults] = useState<AddressResult[]>([]);
  const [total, setTotal] = useState(0);
  const judged = useId();
  const { valid, invalid } = readAddresses(text);
  useDialogGuard(text.trim() && total === 0 ? 'The addresses that you typed are lost.' : undefined);

  const go = async () => {
    setTotal(valid.length);
    const told: AddressResult[] = [];
    for (let first = 0; first < valid.length; first += batch) {
      const emails = valid.slice(first, first + batch);
      const refusal = (error: unknown) => emails.map((email) => ({ email, refusal: reasonOf(error) }));
      told.push(...(await send(emails).catch(refusal)));
      setResults([...told]);
    }
    await onSent();
  };
  if (total > 0) return <Results results={results} total={total} done={done} onClose={onClose} />;
  return (
    <Stack>
      <Textarea
        label="E-mail addresses"
        description="One or many: a line each, or with commas, or a CSV file. People with and without an account."
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        autosize
        minRows={3}
        maxRows={10}
        data-autofocus
        aria-invalid={invalid.length > 0 || undefined}
        aria-describedby={judged}
      />
      <Judged id={judged} valid={valid.length} invalid={invalid} />
      <Group justify="space-between" align="flex-end">
        {children}
        <FileButton
          accept=".csv,.txt,text/csv,text/plain"
          onChange={async (file) => file && setText(await file.text())}
        >
          {(props) => (
            <Button variant="default" {...props}>
              Read a CSV file
            </Button>
          )}
        </FileButton>
      </Group>
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={valid.length === 0} onClick={() => void go()}>
          {action(valid.length)}
        </Button>
      </DialogButtons>
    </Stack>
  );
}

/** More than these are counted. */
const SHOWN = 20;

/** How many of what was typed are addresses, and which are none. */
const Judged = ({ id, valid, invalid }: { id: string; valid: number; invalid: string[] }) => (
  <Stack gap={4} id={id}>
    {(valid > 0 || invalid.length > 0) && (
      <Text size="sm" role="status">
        {valid.toLocaleString()} valid{invalid.length > 0 && `, ${invalid.length.toLocaleString()} invalid`}
      </Text>
    )}
    {invalid.length > 0 && (
      <List size="xs" listStyleType="none" c="var(--mantine-color-error)" aria-label="Invalid addresses">
        {invalid.slice(0, SHOWN).map((each) => (
          <List.Item key={each} icon={<IconX size={14} aria-hidden />}>
            {each}
          </List.Item>
        ))}
        {invalid.length > SHOWN && <List.Item>and {(invalid.length - SHOWN).toLocaleString()} more</List.Item>}
      </List>
    )}
  </Stack>
);

interface ResultsProps {
  results: AddressResult[];
  total: number;
  done: string;
  onClose: () => void;
}

function Results({ results, total, done, onClose }: ResultsProps) {
  const isSending = results.length < total;
  const refused = results.filter(({ refusal }) => refusal).length;
  return (
    <Stack>
      <Text role="status">
        {isSending
          ? `${results.length.toLocaleString()} of ${total.toLocaleString()} done…`
          : `${(results.length - refused).toLocaleString()} ${done}, ${refused.toLocaleString()} refused.`}
      </Text>
      {total > 1 && <Progress value={(results.length / total) * 100} aria-label="Progress" />}
      <List
        size="sm"
        spacing={4}
        mah={300}
        style={{ overflowY: 'auto' }}
        listStyleType="none"
        tabIndex={0}
        aria-label="Results"
      >
        {results.map(({ email, refusal }) => (
          <List.Item
            key={email}
            icon={refusal ? <IconX size={16} aria-label="Refused" /> : <IconCheck size={16} aria-label={done} />}
          >
            {email}
            {refusal && (
              <Text size="xs" c="var(--mantine-color-error)">
                {refusal}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
      <DialogButtons>
        <Button onClick={onClose} disabled={isSending}>
          Close
        </Button>
      </DialogButtons>
    </Stack>
  );
}
