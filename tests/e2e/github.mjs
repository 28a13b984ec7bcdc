// The entities of a backend like GitHub's. `crates/test-support/src/github.rs` has the same model.

/** Name, attributes as they are pasted, templates of the table, of GSI1 and of GSI2. */
export const entities = [
  ["User", "username email plan createdAt", ["ACCOUNT#{username}", "ACCOUNT#{username}"]],
  ["Organization", "orgName plan createdAt", ["ACCOUNT#{orgName}", "ACCOUNT#{orgName}"]],
  [
    "Membership",
    "orgName username role joinedAt",
    ["ACCOUNT#{orgName}", "MEMBER#{username}"],
    ["ACCOUNT#{username}", "MEMBER#{orgName}"],
  ],
  [
    "Repo",
    "owner repoName description starCount:number forkCount:number createdAt updatedAt",
    ["REPO#{owner}#{repoName}", "REPO#{owner}#{repoName}"],
    ["ACCOUNT#{owner}", "REPO#{updatedAt}#{repoName}"],
  ],
  [
    "Issue",
    "owner repo issueNumber:number title creator status createdAt",
    ["REPO#{owner}#{repo}", "ISSUE#{issueNumber:pad(7)}"],
    ["ACCOUNT#{creator}", "ISSUE#{createdAt}"],
    ["REPO#{owner}#{repo}#ISSUE#{status}", "{issueNumber:pad(7)}"],
  ],
  [
    "Pull request",
    "owner repo prNumber:number title creator status createdAt",
    ["REPO#{owner}#{repo}", "PR#{prNumber:pad(7)}"],
    ["ACCOUNT#{creator}", "PR#{createdAt}"],
    ["REPO#{owner}#{repo}#PR#{status}", "{prNumber:pad(7)}"],
  ],
  [
    "Issue comment",
    "owner repo issueNumber:number commentId author body createdAt",
    ["ISSUECOMMENT#{owner}#{repo}#{issueNumber:pad(7)}", "COMMENT#{createdAt}#{commentId}"],
  ],
  [
    "Star",
    "owner repo username starredAt",
    ["REPO#{owner}#{repo}", "STAR#{username}"],
    ["ACCOUNT#{username}", "STAR#{starredAt}"],
  ],
  [
    "Fork",
    "originalOwner repo forkOwner createdAt",
    ["REPO#{originalOwner}#{repo}", "FORK#{forkOwner}"],
    undefined,
    ["FORKS#{forkOwner}", "{createdAt}"],
  ],
  ["Gist", "owner gistId title content createdAt", ["ACCOUNT#{owner}", "GIST#{gistId}"]],
];

/** The model as text, without places of cards. */
export function asText() {
  const keys = ([partition, sort]) => `${partition} / ${sort}`;
  const blocks = entities.map(([name, attributes, primary, ...indexes]) =>
    [
      `entity ${name}`,
      ...attributes.split(" ").map((text) => `  ${text.replace(":", " ")}${text.includes(":") ? "" : " string"}`),
      `  key ${keys(primary)}`,
      ...indexes.flatMap((entry, at) => (entry ? [`  index GSI${at + 1} ${keys(entry)}`] : [])),
    ].join("\n"),
  );
  return ["table github (PK, SK)", "gsi GSI1 (GSI1PK, GSI1SK)", "gsi GSI2 (GSI2PK, GSI2SK)", ...blocks, ""].join("\n\n");
}
