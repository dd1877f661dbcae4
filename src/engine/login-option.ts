/** What the requests of a route have to do with the users of the API and the tokens that they log in with. */
export interface LoginOption {
  /** The path of the collection that the users are in, such as `/users`. */
  readonly users: string
  /** The header that requests have a token in, with or without a scheme before it. Default: `authorization`. */
  readonly header?: string | undefined
  /** The cookie that has it, in place of a header. */
  readonly cookie?: string | undefined
  /** The query parameter that has it, where no header has. */
  readonly query?: string | undefined
  /** The field of users that has their token, where they are things such as API keys: `{ users: '/keys', field: 'key' }`. */
  readonly field?: string | undefined
  /**
   * What its requests do: make a user, log one in, log one out, change the one who is logged in, or get a new token for
   * the refresh token that `secret` has. Without it, they need a user who is logged in, and get 401 otherwise.
   */
  readonly does?: LoginDeed | undefined
  /**
   * Members of bodies that name the user who logs in, and the fields of users that have these: `{ login: 'email' }`, or
   * `{ login: ['email', 'username'] }` where any of several may be sent there.
   */
  readonly by?: NamedBy | undefined
  /** A pointer to where bodies have these and the password, such as `/user`. Default: the body itself. */
  readonly body?: string | undefined
  /** The member of bodies that has the password. */
  readonly secret?: string | undefined
  /** The member that has a new password, where `secret` has the one until now. */
  readonly renews?: string | undefined
  /**
   * A pointer to the token in answers, such as `/accessToken`: those of `register` and `begin`, and others that give a new
   * one. With `cookie`, answers set that, too.
   */
  readonly token?: string | undefined
  /** A pointer to the refresh token in answers (RFC 6749, section 1.5), such as `/refresh_token`, of which each is used once. */
  readonly refresh?: string | undefined
  /** Whether a refresh ends the token that was given with the refresh token. */
  readonly revokes?: boolean | undefined
  /** Whether who logs in may be named by Basic credentials, in place of members of bodies. */
  readonly basic?: boolean | undefined
  /** A template of the tokens that are given, as that of ids. Default: `{hex 40}`. */
  readonly tokens?: string | undefined
  /** A pointer to the user in answers, such as `/user`; empty where the answer is the user. */
  readonly user?: string | undefined
  /** The field of users that has their id. Default: `id`. */
  readonly id?: string | undefined
  /** What the first user has otherwise than all others, such as `{ role: 'admin' }`. */
  readonly first?: Readonly<Record<string, unknown>> | undefined
  /**
   * That users need not be registered: who logs in with a name that nobody has becomes a user, whose password is the one
   * that the token in use was given for. Fields that such users get, as templates: `{ id: '{1}' }`.
   */
  readonly enrols?: Readonly<Record<string, string>> | undefined
  /** Whether such users are held to the password that they logged in with first. */
  readonly holds?: boolean | undefined
  /** Whether requests without a user are answered, too. */
  readonly optional?: boolean | undefined
  /**
   * The field of items that has the id of the user whose they are: requests about those of others get 403, and lists with
   * `filterBy` of that field have those of the user.
   */
  readonly owner?: string | undefined
  /** The values that fields of the user must have, such as `{ role: ['admin'] }`: other users get 403. */
  readonly only?: Readonly<Record<string, readonly unknown[]>> | undefined
}

/** What a request has to do with logins. */
export type LoginDeed = (typeof LOGIN_DEEDS)[number]

/** Fields of users by the members of bodies that have one of them. */
export type NamedBy = Readonly<Record<string, string | readonly string[]>>

/** Each field by which a member may name a user. */
export function namingFields(by: NamedBy): readonly (readonly [member: string, field: string])[] {
  return Object.entries(by).flatMap(([member, fields]) =>
    [fields].flat().map((field: string) => [member, field] as const),
  )
}

export const LOGIN_DEEDS = ['register', 'begin', 'end', 'change', 'refresh'] as const
