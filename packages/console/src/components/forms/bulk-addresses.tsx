import { Button, FileButton, Group, List, Progress, Stack, Text, Textarea } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { DialogButtons } from '../dialogs/dialog-buttons.tsx';
import { useDialogGuard } from '../dialogs/dialog-guard.ts';
import { getErrorMessage } from '../feedback/failure.tsx';
import { readAddresses } from './email-addresses.ts';

export interface AddressResult {
  email: string;
  /** Reason for the failure; undefined on success. */
  refusal: string | undefined;
}

interface BulkAddressesProps {
  /** Button label for this number of people. */
  action: (count: number) => string;
  /** Past participle for successes, such as "invited". */
  done: string;
  /** Addresses per request. */
  batch: number;
  send: (emails: string[]) => Promise<AddressResult[]>;
  onSent: () => unknown;
  onClose: () => void;
  /** Content below the results, for the addresses that succeeded. */
  after?: (emails: string[]) => ReactNode;
  /** Content beside the addresses. */
  children?: ReactNode;
}

/** One address or thousands, typed, pasted or loaded from a file, each with its own result. */
export function BulkAddresses({ action, done, batch, send, onSent, onClose, after, children }: BulkAddressesProps) {
  const [text, setText] = useState('');
  const [results, setResults] = useState<AddressResult[]>([]);
  const [total, setTotal] = useState(0);
  const judged = useId();
  const { valid, invalid } = readAddresses(text);
  useDialogGuard(text.trim() && total === 0 ? 'The addresses you entered will be lost.' : undefined);

  const go = async () => {
    setTotal(valid.length);
    const collected: AddressResult[] = [];
    for (let first = 0; first < valid.length; first += batch) {
      const emails = valid.slice(first, first + batch);
      const refusal = (error: unknown) => emails.map((email) => ({ email, refusal: getErrorMessage(error) }));
      collected.push(...(await send(emails).catch(refusal)));
      setResults([...collected]);
    }
    await onSent();
  };
  if (total > 0) return <Results results={results} total={total} done={done} onClose={onClose} after={after} />;
  return (
    <Stack>
      <Textarea
        label="Email addresses"
        description="Separated by commas or line breaks, or from a CSV file. People don't need an account yet."
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
              Load CSV file
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

/** Further addresses are only counted. */
const VISIBLE_REFUSALS = 20;

/** Number of valid addresses, and the invalid ones. */
const Judged = ({ id, valid, invalid }: { id: string; valid: number; invalid: string[] }) => (
  <Stack gap={4} id={id}>
    {(valid > 0 || invalid.length > 0) && (
      <Text size="sm" role="status">
        {valid.toLocaleString()} valid{invalid.length > 0 && `, ${invalid.length.toLocaleString()} invalid`}
      </Text>
    )}
    {invalid.length > 0 && (
      <List size="xs" listStyleType="none" c="var(--mantine-color-error)" aria-label="Invalid addresses">
        {invalid.slice(0, VISIBLE_REFUSALS).map((each) => (
          <List.Item key={each} icon={<IconX size={14} aria-hidden />}>
            {each}
          </List.Item>
        ))}
        {invalid.length > VISIBLE_REFUSALS && (
          <List.Item>and {(invalid.length - VISIBLE_REFUSALS).toLocaleString()} more</List.Item>
        )}
      </List>
    )}
  </Stack>
);

interface ResultsProps {
  results: AddressResult[];
  total: number;
  done: string;
  onClose: () => void;
  after: BulkAddressesProps['after'];
}

function Results({ results, total, done, onClose, after }: ResultsProps) {
  const isSending = results.length < total;
  const refused = results.filter(({ refusal }) => refusal).length;
  return (
    <Stack>
      <Text role="status">
        {isSending
          ? `${results.length.toLocaleString()} of ${total.toLocaleString()} done…`
          : `${(results.length - refused).toLocaleString()} ${done}, ${refused.toLocaleString()} failed.`}
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
            icon={refusal ? <IconX size={16} aria-label="Failed" /> : <IconCheck size={16} aria-label={done} />}
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
      {!isSending && after?.(results.flatMap(({ email, refusal }) => (refusal ? [] : [email])))}
      <DialogButtons>
        <Button onClick={onClose} disabled={isSending}>
          Close
        </Button>
      </DialogButtons>
    </Stack>
  );
}
