import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useRemoveSecondFactor } from '../../api/account/second-factor.ts';
import {
  type AdminUser,
  type UserChange,
  useDeleteUser,
  useResetPassword,
  useUpdateUser,
} from '../../api/organizations/users.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { NewPassword, RevokeTokens } from '../../components/forms/account-fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SecretValue } from '../../components/text/secret-value.tsx';
import { pathTo } from '../../paths.ts';

interface Action {
  label: string;
  change: UserChange;
  explanation: string;
  isDangerous?: boolean;
}

const rights = ({ is_admin }: AdminUser): Action =>
  is_admin
    ? {
        label: 'Remove administrator',
        change: { is_admin: false },
        explanation: 'This user can no longer manage users or the server.',
        isDangerous: true,
      }
    : {
        label: 'Make administrator',
        change: { is_admin: true },
        explanation: 'This user can manage the server and all users, including you.',
      };

const standing = ({ is_disabled }: AdminUser): Action =>
  is_disabled
    ? {
        label: 'Enable',
        change: { is_disabled: false },
        explanation: 'This user can sign in again, but has to create new API tokens: the old ones stay revoked.',
      }
    : {
        label: 'Disable',
        change: { is_disabled: true },
        explanation:
          'Signs this user out, blocks sign-in and revokes every API token they created, including app tokens. Check first that no pipeline uses one.',
        isDangerous: true,
      };

const verification = ({ is_email_verified, email }: AdminUser): Action[] =>
  is_email_verified
    ? []
    : [
        {
          label: 'Confirm email',
          change: { is_email_verified: true },
          explanation: `Confirm only if ${email} belongs to this user: identity providers can then sign them in by this address.`,
        },
      ];

const actionsFor = (user: AdminUser): Action[] =>
  user.is_service_account ? [standing(user)] : [rights(user), standing(user), ...verification(user)];

/** Administrator actions on a user. */
export function UserActions({ user }: { user: AdminUser }) {
  const [action, setAction] = useState<Action>();
  const [isSettingPassword, setSettingPassword] = useState(false);
  const [isLinking, setLinking] = useState(false);
  const [isRemovingFactor, setRemovingFactor] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const button = useFocusAfter(
    isSettingPassword || isLinking || isRemovingFactor || isDeleting || action !== undefined,
  );
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon ref={button} variant="subtle" color="gray" aria-label={`Actions for ${user.name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actionsFor(user).map((each) => (
            <Menu.Item key={each.label} onClick={() => setAction(each)}>
              {each.label}
            </Menu.Item>
          ))}
          <Menu.Item component={Link} to={pathTo('adminUserTokens', { user: user.id })}>
            API tokens
          </Menu.Item>
          {!user.is_service_account && (
            <>
              <Menu.Item onClick={() => setSettingPassword(true)}>Set new password</Menu.Item>
              <Menu.Item onClick={() => setLinking(true)}>Create password link</Menu.Item>
              <Menu.Item onClick={() => setRemovingFactor(true)}>Turn off second factor</Menu.Item>
              <Menu.Item color="var(--mantine-color-error)" onClick={() => setDeleting(true)}>
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isRemovingFactor && <RemoveSecondFactor user={user} onClose={() => setRemovingFactor(false)} />}
      {isDeleting && <DeleteUser user={user} onClose={() => setDeleting(false)} />}
      {action && <ConfirmAction user={user} action={action} onClose={() => setAction(undefined)} />}
      <Dialog
        opened={isSettingPassword}
        onClose={() => setSettingPassword(false)}
        title={`New password for ${user.display_name}`}
      >
        <SetPassword user={user} onClose={() => setSettingPassword(false)} />
      </Dialog>
      <Dialog opened={isLinking} onClose={() => setLinking(false)} title={`Password link for ${user.display_name}`}>
        <PasswordLink user={user} onClose={() => setLinking(false)} />
      </Dialog>
    </>
  );
}

/** The menu entry that opened the dialog no longer exists, so the focus returns to the menu button. */
function useFocusAfter(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) return () => button.current?.focus();
  }, [isOpen]);
  return button;
}

interface DialogProps {
  user: AdminUser;
  onClose: () => void;
}

function ConfirmAction({ user, action, onClose }: DialogProps & { action: Action }) {
  const update = useUpdateUser();
  return (
    <ConfirmDialog
      title={`${action.label}: ${user.display_name}?`}
      action={action.label}
      isDangerous={action.isDangerous}
      mutation={update}
      onConfirm={() => update.mutate({ user, change: action.change }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>{action.explanation}</Text>
    </ConfirmDialog>
  );
}

function DeleteUser({ user, onClose }: DialogProps) {
  const deletion = useDeleteUser();
  return (
    <ConfirmDialog
      title={`Delete user ${user.display_name}?`}
      action="Delete user"
      isDangerous
      typed={user.name}
      mutation={deletion}
      onConfirm={() => deletion.mutate(user, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>
        This deletes the user's sessions, API tokens, memberships, webhooks and feeds, and cannot be undone. The audit
        log keeps their name. A user who owns apps, or is the last admin of an organization, can't be deleted.
      </Text>
    </ConfirmDialog>
  );
}

function RemoveSecondFactor({ user, onClose }: DialogProps) {
  const removal = useRemoveSecondFactor();
  return (
    <ConfirmDialog
      title={`Turn off second factor of ${user.display_name}?`}
      action="Turn off second factor"
      isDangerous
      mutation={removal}
      onConfirm={() => removal.mutate(user.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>
        For a user who has lost the authenticator app and the recovery codes. Make sure that the request is from this
        user: afterwards the password alone is enough to sign in. Their sessions end.
      </Text>
    </ConfirmDialog>
  );
}

function PasswordLink({ user, onClose }: DialogProps) {
  const making = useResetPassword();
  // The link exists only in this dialog's state.
  const [link, setLink] = useState<string>();
  if (link) {
    const warning =
      "Copy the link now. You can't see it again after closing this dialog. It works once and expires after an hour.";
    return <SecretValue secrets={[['Link', link]]} warning={warning} onClose={onClose} />;
  }
  const make = () =>
    making.mutate(user, {
      onSuccess: (made) => {
        setLink(made.link);
        making.reset();
      },
    });
  return (
    <Form action="Create password link" sending={making} onCancel={onClose} onSend={make}>
      <Text>Anyone with the link can set a new password for {user.display_name}. Earlier links stop working.</Text>
    </Form>
  );
}

function SetPassword({ user, onClose }: DialogProps) {
  const update = useUpdateUser();
  return (
    <Form
      action="Set password"
      sending={update}
      onCancel={onClose}
      onSend={(fields) =>
        update.mutate(
          { user, change: { password: fields.secret('password'), revoke_tokens: fields.isOn('revoke_tokens') } },
          { onSuccess: onClose },
        )
      }
    >
      <Text>This signs the user out everywhere. Tell them the new password; they can change it in their profile.</Text>
      <NewPassword name="password" label="New password" whose="their" data-autofocus />
      <RevokeTokens whose="their" />
    </Form>
  );
}
