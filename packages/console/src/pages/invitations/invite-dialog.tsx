import { Button, FileButton, Group, List, Modal, Progress, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconMailPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { queries } from '../../api/client.ts';
import type { Invitations } from '../../api/invitations.ts';
import { Choice } from '../../parts/choice.tsx';
import { reasonOf } from '../../parts/failure.tsx';
import { DialogButtons } from '../../parts/form.tsx';
import { readAddresses } from './addresses.ts';

interface InviteProps<Role extends string> {
  invitations: Invitations<Role>;
  words: Record<Role, string>;
  /** The role that is chosen at first. */
  first: Role;
}

export function InviteButton<Role extends string>(props: InviteProps<Role>) {
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <Button leftSection={<IconMailPlus size={16} aria-hidden />} onClick={dialog.open}>
        Invite
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title="Invite people" size="lg" closeOnClickOutside={false}>
        <Invite {...props} onClose={dialog.close} />
      </Modal>
    </>
  );
}

interface Result {
  email: string;
  /** Why it was refused; undefined when it was sent. */
  refusal: string | undefined;
}

/** One person or many: each gets an invitation of their own, and each answer is told. */
function Invite<Role extends string>({
  invitations,
  words,
  first,
  onClose,
}: InviteProps<Role> & { onClose: () => void }) {
  const [text, setText] = useState('');
  const [role, setRole] = useState(first);
  const [results, setResults] = useState<Result[]>([]);
  const [total, setTotal] = useState(0);
  const { valid, others } = readAddresses(text);
  const isSending = total > 0 && results.length < total;

  const send = async () => {
    setTotal(valid.length);
    const told: Result[] = [];
    for (const email of valid) {
      const refusal = await invitations.invite(email, role).then(
        () => undefined,
        (error: unknown) => reasonOf(error),
      );
      told.push({ email, refusal });
      setResults([...told]);
    }
    await queries.invalidateQueries({ queryKey: invitations.key });
  };
  if (total > 0) return <Results results={results} total={total} isSending={isSending} onClose={onClose} />;
  return (
    <Stack>
      <Textarea
        label="E-mail addresses"
        description="One or many: a line each, or with commas, or a CSV file. People with and without an account."
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        error={others.length > 0 && `These look like no addresses and are left out: ${others.slice(0, 5).join(', ')}`}
        autosize
        minRows={3}
        maxRows={10}
        data-autofocus
      />
      <Group justify="space-between" align="flex-end">
        <Choice label="As" words={words} value={role} onChange={setRole} flex="1 1 14rem" />
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
        <Button disabled={valid.length === 0} onClick={() => void send()}>
          {valid.length > 1 ? `Invite ${valid.length.toLocaleString()} people` : 'Send the invitation'}
        </Button>
      </DialogButtons>
    </Stack>
  );
}

interface ResultsProps {
  results: Result[];
  total: number;
  isSending: boolean;
  onClose: () => void;
}

function Results({ results, total, isSending, onClose }: ResultsProps) {
  const refused = results.filter(({ refusal }) => refusal).length;
  return (
    <Stack>
      <Text role="status">
        {isSending
          ? `${results.length.toLocaleString()} of ${total.toLocaleString()} done…`
          : `${(results.length - refused).toLocaleString()} invited, ${refused.toLocaleString()} refused.`}
      </Text>
      {total > 1 && <Progress value={(results.length / total) * 100} aria-label="Invitations" />}
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
            icon={refusal ? <IconX size={16} aria-label="Refused" /> : <IconCheck size={16} aria-label="Invited" />}
          >
            {email}
            {refusal && (
              <Text size="xs" c="red">
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
