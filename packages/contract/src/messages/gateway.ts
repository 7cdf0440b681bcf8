import { defineMessages } from '../messages.ts'

/** Texts of the gateway in a user's terminal. */
export const gatewayMessages = defineMessages({
  shareNotAllowed: {
    en: 'This session cannot be shared. Sharing may be switched off, or your permission for the asset does not include it.',
    zh: '该会话不能分享：会话分享可能已关闭，或您对该资产的权限不包含分享。',
    ja: 'このセッションは共有できません。共有が無効か、アセットの権限に共有が含まれていません。',
  },
  shareInvalid: {
    en: 'The session could not be shared. Check the duration and the invited users.',
    zh: '会话分享失败。请检查有效期和受邀用户。',
    ja: 'セッションを共有できませんでした。有効期間と招待するユーザーを確認してください。',
  },
  shareTooMany: {
    en: 'This session has too many links already. Open a new session to share it.',
    zh: '该会话的分享链接过多，请新建会话后再分享。',
    ja: 'このセッションの共有リンクが多すぎます。新しいセッションを開いて共有してください。',
  },
  shareFull: {
    en: 'Too many users are in this session. Try again when somebody has left.',
    zh: '该会话的参与者过多，请在有人离开后重试。',
    ja: 'このセッションの参加者が多すぎます。誰かが退出してからやり直してください。',
  },
  shareOver: {
    en: 'You no longer belong to the organization of this session and have left it.',
    zh: '您已不再属于该会话所在的组织，已退出会话。',
    ja: 'このセッションの組織に所属しなくなったため、セッションから退出しました。',
  },
  shareRemoved: {
    en: 'The owner has removed you from the session.',
    zh: '会话所有者已将您移出会话。',
    ja: 'セッションの所有者があなたを退出させました。',
  },
  shareUnknown: {
    en: 'This session is no longer shared. Ask its owner for a new link.',
    zh: '该会话已停止分享。请向会话所有者索取新的链接。',
    ja: 'このセッションの共有は終了しました。所有者に新しいリンクを依頼してください。',
  },
  connecting: {
    en: 'Connecting to {asset} as {account} …',
    zh: '正在以 {account} 连接 {asset} …',
    ja: '{account} として {asset} に接続しています …',
  },
  tooManyChannels: {
    en: 'too many channels on one connection (at most {most}); open another connection',
    zh: '单个连接上的通道过多（最多 {most} 个），请新建连接',
    ja: '1 つの接続のチャネルが多すぎます(最大 {most})。新しい接続を開いてください',
  },
  connectFailed: {
    en: 'Cannot connect to {asset}: {reason}',
    zh: '无法连接 {asset}:{reason}',
    ja: '{asset} に接続できません:{reason}',
  },
  reasonRefused: { en: 'the connection was refused', zh: '连接被拒绝', ja: '接続が拒否されました' },
  reasonTimeout: { en: 'no response in time', zh: '连接超时', ja: '応答がありません' },
  reasonNoHost: { en: 'the host name could not be resolved', zh: '找不到主机', ja: 'ホストが見つかりません' },
  reasonUnreachable: { en: 'the host is not reachable', zh: '主机不可达', ja: 'ホストに到達できません' },
  reasonAuth: {
    en: 'the host rejected the account',
    zh: '主机不接受该账号的凭据',
    ja: 'ホストがこのアカウントを受け付けませんでした',
  },
  reasonPasswordExpired: {
    en: 'the password of the account is expired on the host; change it there first',
    zh: '该账号的密码在主机上已过期，请先在主机上修改密码',
    ja: 'このアカウントのパスワードはホスト上で期限切れです。先にホスト上で変更してください',
  },
  reasonNoSecret: {
    en: 'the account has no password or key',
    zh: '账号没有密码或密钥',
    ja: 'アカウントにパスワードも鍵もありません',
  },
  reasonGateway: {
    en: 'the gateway "{name}" failed ({reason})',
    zh: '网关“{name}”不可用（{reason}）',
    ja: 'ゲートウェイ「{name}」を使用できません（{reason}）',
  },
  reasonNoForwarding: {
    en: 'it does not allow forwarding; ask an administrator to allow TCP forwarding on it',
    zh: '网关不允许转发，请联系管理员在网关上允许 TCP 转发',
    ja: 'ゲートウェイが転送を許可していません。管理者に TCP 転送の許可を依頼してください',
  },
  reasonNotReachedFromGateway: {
    en: 'it cannot reach the asset',
    zh: '网关无法连接资产',
    ja: 'ゲートウェイから資産に到達できません',
  },
  reasonNoGatewayAccount: {
    en: 'it has no account with a password or a key; ask an administrator to add one',
    zh: '网关没有带密码或密钥的账号，请联系管理员添加',
    ja: 'パスワードまたは鍵のあるアカウントがゲートウェイにありません。管理者に追加を依頼してください',
  },
  gatewaysDisabled: {
    en: 'All gateways of the domain "{domain}" are disabled. Enable one, or take the asset out of the domain to reach it directly.',
    zh: '网域“{domain}”的网关均已禁用。请启用其中一个；如需直接连接，请将资产移出该网域。',
    ja: 'ドメイン「{domain}」のゲートウェイはすべて無効です。いずれかを有効にするか、直接接続する場合は資産をドメインから外してください。',
  },
  gatewayLost: {
    en: 'The gateway "{name}" closed the connection to {asset}: the session has ended. Connect again; another gateway is used if this one does not answer.',
    zh: '网关“{name}”断开了到 {asset} 的连接，会话已结束。请重新连接；若该网关无响应，将使用其他网关。',
    ja: 'ゲートウェイ「{name}」が {asset} への接続を切断したため、セッションを終了しました。もう一度接続してください。このゲートウェイが応答しない場合は別のゲートウェイを使います。',
  },
  reasonClosed: { en: 'the host closed the connection', zh: '主机关闭了连接', ja: 'ホストが接続を閉じました' },
  reasonHostKeyUnverified: {
    en: 'its host key could not be verified',
    zh: '无法验证其主机密钥',
    ja: 'ホスト鍵を検証できませんでした',
  },
  hostKeyMismatch: {
    en: 'The host key of {asset} has changed.\nExpected: {expected}\nReceived: {received}\nThe connection was ended before any credential was sent. If the host was reinstalled, ask an administrator to accept the new key; otherwise somebody may be between you and the host.',
    zh: '{asset} 的主机密钥已改变。\n预期：{expected}\n实际：{received}\n连接已在发送任何凭据之前中断。若主机已重装，请联系管理员确认新密钥；否则可能有人正在冒充该主机。',
    ja: '{asset} のホスト鍵が変わりました。\n期待した鍵:{expected}\n受け取った鍵:{received}\n認証情報を送る前に接続を切りました。ホストを再インストールした場合は管理者に新しい鍵の承認を依頼してください。そうでなければ、何者かがホストになりすましている可能性があります。',
  },
  recordingFailed: {
    en: 'This session cannot be recorded and has ended. Contact an administrator.',
    zh: '无法录制此会话，因此会话不能进行。请联系管理员。',
    ja: 'このセッションを記録できないため、続けられません。管理者に連絡してください。',
  },
  serverUnreachable: {
    en: 'The server does not respond. Try again shortly.',
    zh: '服务器没有响应，请稍后再试。',
    ja: 'サーバーが応答しません。しばらくしてからもう一度お試しください。',
  },
  internalError: {
    en: 'Internal error in the gateway. Contact an administrator.',
    zh: '网关发生错误，请联系管理员。',
    ja: 'ゲートウェイでエラーが発生しました。管理者に連絡してください。',
  },
  tokenInvalid: {
    en: 'The connection token is not valid or has expired.',
    zh: '连接令牌无效或已过期。',
    ja: '接続トークンが無効か、期限切れです。',
  },
  copyUnreadable: {
    en: 'The copy was stopped: the data does not follow the scp protocol.',
    zh: '复制已停止：发送的内容不符合 scp 协议。',
    ja: 'コピーを中止しました:送信された内容が scp のプロトコルではありません。',
  },
  permissionDenied: {
    en: 'You have no permission for this.',
    zh: '您没有此权限。',
    ja: 'この操作の権限がありません。',
  },
  loginRejected: {
    en: 'A login rule does not allow this connection.',
    zh: '登录规则不允许此连接。',
    ja: 'ログインルールによりこの接続は許可されていません。',
  },
  loginNeedsReview: {
    en: 'This connection requires approval.',
    zh: '此连接需要审批。',
    ja: 'この接続には承認が必要です。',
  },
  idleEnded: {
    en: 'No input for {minutes} {minutes|minute|minutes}: the session has ended.',
    zh: '{minutes} 分钟内没有输入，会话已结束。',
    ja: '{minutes} 分間入力がなかったため、セッションを終了しました。',
  },
  maxTimeEnded: {
    en: 'The maximum session time of {hours} {hours|hour|hours} is over: the session has ended.',
    zh: '已达到会话最长时间 {hours} 小时，会话已结束。',
    ja: 'セッションの最長時間 {hours} 時間に達したため、終了しました。',
  },
  permissionEnded: {
    en: 'Your permission for this asset has ended, and so has the session.',
    zh: '您对此资产的授权已结束，会话已终止。',
    ja: 'この資産の権限がなくなったため、セッションを終了しました。',
  },
  userEnded: {
    en: 'Your user has been disabled: the session has ended.',
    zh: '您的用户已被禁用，会话已结束。',
    ja: 'ユーザーが無効になったため、セッションを終了しました。',
  },
  signedOut: {
    en: 'You have signed out: the session has ended.',
    zh: '您已退出登录，会话已结束。',
    ja: 'ログアウトしたため、セッションを終了しました。',
  },
  terminated: {
    en: 'The session was terminated by {name}.',
    zh: '会话已被 {name} 终止。',
    ja: 'セッションは {name} により終了されました。',
  },
  paused: {
    en: 'The session was paused by {name}: input is discarded.',
    zh: '会话已被 {name} 暂停：输入无效。',
    ja: 'セッションは {name} により一時停止されました。入力は送られません。',
  },
  resumed: {
    en: 'The session was resumed by {name}.',
    zh: '会话已被 {name} 恢复。',
    ja: 'セッションは {name} により再開されました。',
  },
  targetLost: {
    en: '{asset} closed the connection: the session has ended.',
    zh: '{asset} 已断开连接，会话已结束。',
    ja: '{asset} 側から接続が切断されたため、セッションを終了しました。',
  },
  gatewayStopping: {
    en: 'The gateway is restarting: the session has ended.',
    zh: '网关正在重启，会话已结束。',
    ja: 'ゲートウェイを再起動するため、セッションを終了しました。',
  },
  commandRefused: {
    en: 'Command `{command}` is forbidden',
    zh: '命令 `{command}` 是被禁止的',
    ja: 'コマンド `{command}` は禁止されています',
  },
  commandTooLong: {
    en: 'A line of this command is too long to be checked against the rules.',
    zh: '此命令中有一行过长，无法按规则检查。',
    ja: 'このコマンドには長すぎる行があり、ルールで確認できません。',
  },
  commandUnseen: {
    en: 'The line was edited in a way that cannot be checked, and was cleared. Type it again.',
    zh: '无法看到该行的编辑结果，已清除。请重新输入。',
    ja: '編集の結果が表示されない行のため消去しました。もう一度入力してください。',
  },
  commandRecalled: {
    en: 'This line runs another one from the history, which cannot be checked. Type the command itself.',
    zh: '该行会执行历史记录中的另一条命令，无法检查。请直接输入该命令。',
    ja: 'この行は履歴にある別のコマンドを実行するため、確認できません。コマンドそのものを入力してください。',
  },
  commandUnread: {
    en: '{typed} [the line could not be read]',
    zh: '{typed} [无法读取该行]',
    ja: '{typed} [行を読み取れませんでした]',
  },
  commandDiffers: {
    en: '{typed} [the screen showed: {shown}]',
    zh: '{typed} [屏幕显示：{shown}]',
    ja: '{typed} [画面の表示:{shown}]',
  },
  commandNotShown: {
    en: '{typed} [not shown on the screen]',
    zh: '{typed} [屏幕未显示]',
    ja: '{typed} [画面には表示されず]',
  },
  programHasScreen: {
    en: '[Full-screen program: input is recorded, but not checked or listed as commands.]',
    zh: '[全屏程序：其中的输入已录像，但不作为命令检查或列出。]',
    ja: '[全画面プログラム:入力は録画されますが、コマンドとしての確認や一覧表示の対象になりません。]',
  },
  commandWarned: {
    en: 'Command `{command}` is watched: {rule}',
    zh: '命令 `{command}` 受到关注：{rule}',
    ja: 'コマンド `{command}` は監視対象です:{rule}',
  },
  reviewAsk: {
    en: 'Command `{command}` requires approval. Request it? [Y/n]',
    zh: '命令 `{command}` 需要审批。是否提交? [Y/n]',
    ja: 'コマンド `{command}` には承認が必要です。申請しますか? [Y/n]',
  },
  reviewWaiting: {
    en: 'Asked for approval: {reviewers}\n{url}',
    zh: '已请求审批：{reviewers}\n{url}',
    ja: '承認を依頼しました：{reviewers}\n{url}',
  },
  reviewElapsed: {
    en: 'Waiting {time}. Ctrl-C cancels. ',
    zh: '已等待 {time}，按 Ctrl-C 取消。',
    ja: '待ち時間 {time}。Ctrl-C で取り消し。',
  },
  reviewClosed: {
    en: 'The request was closed without a decision.',
    zh: '审批请求未经处理已关闭。',
    ja: '承認の申請は、判断されずに閉じられました。',
  },
  reviewByOwner: {
    en: 'This command needs an approval, which only the user whose session this is can request.',
    zh: '该命令需要审批，只有会话的所有者才能提交审批请求。',
    ja: 'このコマンドには承認が必要です。申請できるのは、セッションの所有者だけです。',
  },
  reviewApproved: { en: 'Approved by {name}.', zh: '{name} 已批准。', ja: '{name} が承認しました。' },
  reviewRejected: { en: 'Rejected by {name}.', zh: '{name} 已拒绝。', ja: '{name} が却下しました。' },
  reviewCancelled: { en: 'The request was canceled.', zh: '审批已取消。', ja: '承認の申請を取り消しました。' },
  reviewFailed: {
    en: 'Approval could not be requested, so the command was not run.',
    zh: '无法提交审批，命令未执行。',
    ja: '承認を申請できなかったため、コマンドは実行されませんでした。',
  },
  askReview: { en: 'Request approval? [y/n]: ', zh: '是否提交审批? [y/n]: ', ja: '承認を申請しますか? [y/n]: ' },
  switchUserFailed: {
    en: 'Switching to {account} failed.',
    zh: '切换到 {account} 失败。',
    ja: '{account} への切り替えに失敗しました。',
  },
  forwardingOff: {
    en: 'Port forwarding is not allowed here.',
    zh: '此处不允许端口转发。',
    ja: 'ここではポート転送は許可されていません。',
  },
  forwardingNotPermitted: {
    en: 'Port forwarding needs a permission with the actions connect, upload and download.',
    zh: '端口转发需要授权中包含连接、上传和下载动作。',
    ja: 'ポート転送には、接続・アップロード・ダウンロードのアクションを含む権限が必要です。',
  },
  forwardingBeyondTarget: {
    en: 'Ports can be forwarded only to the asset itself, not to {host}.',
    zh: '端口只能转发到资产本身，不能转发到 {host}。',
    ja: 'ポート転送は資産自身にのみ可能です。{host} には転送できません。',
  },
  forwardFailed: {
    en: 'The asset could not connect to {place}.',
    zh: '资产无法连接 {place}。',
    ja: '資産から {place} に接続できませんでした。',
  },
  noAsset: {
    en: 'None of your assets matches "{name}".',
    zh: '没有匹配“{name}”的授权资产。',
    ja: '「{name}」に一致する許可された資産がありません。',
  },
  manyAssets: {
    en: '"{name}" matches several of your assets. Use the ID of the asset.',
    zh: '“{name}”对应多个资产，请使用资产 ID。',
    ja: '「{name}」に一致する資産が複数あります。資産の ID を使ってください。',
  },
  manyAccounts: {
    en: 'Several accounts on {asset} match "{name}". Use the name of one of them: {accounts}.',
    zh: '{asset} 上有多个账号符合“{name}”，请使用其中一个账号的名称：{accounts}',
    ja: '{asset} には「{name}」に一致するアカウントが複数あります。いずれかの名前を指定してください：{accounts}',
  },
  noAccount: {
    en: 'You have no account "{name}" on {asset}.',
    zh: '您在 {asset} 上没有账号“{name}”。',
    ja: '{asset} にアカウント「{name}」の権限がありません。',
  },
  noProtocol: {
    en: 'Protocol {name} is not available on {asset}.',
    zh: '{asset} 不支持协议 {name}。',
    ja: '{asset} ではプロトコル {name} を使えません。',
  },
  inactiveAsset: { en: '{asset} is disabled.', zh: '{asset} 已停用。', ja: '{asset} は無効です。' },
  watching: {
    en: 'Watching {user} on {asset}',
    zh: '正在观看 {user} 在 {asset} 的会话',
    ja: '{user} の {asset} でのセッションを表示中',
  },
  watchedEnded: { en: 'The session has ended.', zh: '会话已结束。', ja: 'セッションは終了しました。' },

  mfaChoice: { en: 'Choose a factor', zh: '请选择验证方式', ja: '認証方法を選んでください' },
  mfaCode: { en: '{factor} code: ', zh: '{factor} 验证码: ', ja: '{factor} コード: ' },
  loginReview: {
    en: 'This sign-in requires approval. Request it? [Y/n]: ',
    zh: '此登录需要审批。是否提交? [Y/n]: ',
    ja: 'このログインには承認が必要です。申請しますか? [Y/n]: ',
  },

  menuWelcome: {
    en: '{name}, welcome to {title}',
    zh: '{name}，欢迎使用 {title}',
    ja: '{name} さん、{title} へようこそ',
  },
  menuTitle: { en: 'Castellan', zh: 'Castellan', ja: 'Castellan' },
  helpText: {
    en: 'Enter part of a name, address or comment to search; a single match connects at once.',
    zh: '输入名称、地址或备注的一部分进行搜索，唯一匹配时直接连接。',
    ja: '名前、アドレス、コメントの一部で検索します。一件だけ一致すれば接続します。',
  },
  helpNumber: {
    en: 'Enter a number to connect to that row.',
    zh: '输入序号连接该行资产。',
    ja: '番号でその行に接続します。',
  },
  helpSlash: {
    en: 'Enter /text to search and only list; //text searches in the result.',
    zh: '输入 /文字 仅搜索并列出;//文字 在结果中继续搜索。',
    ja: '/文字 で検索のみ、//文字 で結果を絞り込みます。',
  },
  helpAll: { en: 'Enter p for your assets.', zh: '输入 p 显示您的资产。', ja: 'p で資産を表示します。' },
  helpHosts: { en: 'Enter h for your hosts.', zh: '输入 h 显示您的主机。', ja: 'h でホストを表示します。' },
  helpFavorites: {
    en: 'Enter f for your favorites.',
    zh: '输入 f 显示您的收藏。',
    ja: 'f でお気に入りを表示します。',
  },
  helpNodes: {
    en: 'Enter g for your node tree, gN for the assets of node N.',
    zh: '输入 g 显示节点树，gN 显示第 N 个节点的资产。',
    ja: 'g でノードの木、gN で N 番のノードの資産を表示します。',
  },
  helpPages: {
    en: 'Enter n or b for the next or the previous page.',
    zh: '输入 n 或 b 翻到下一页或上一页。',
    ja: 'n と b で次と前のページへ移ります。',
  },
  helpRefresh: { en: 'Enter r to refresh.', zh: '输入 r 刷新。', ja: 'r で更新します。' },
  helpLanguage: { en: 'Enter s to change the language.', zh: '输入 s 切换语言。', ja: 's で言語を切り替えます。' },
  helpHelp: { en: 'Enter ? for help.', zh: '输入 ? 显示帮助。', ja: '? でヘルプを表示します。' },
  helpQuit: { en: 'Enter q to leave.', zh: '输入 q 退出。', ja: 'q で終了します。' },
  columnId: { en: 'ID', zh: 'ID', ja: 'ID' },
  columnName: { en: 'Name', zh: '名称', ja: '名前' },
  columnAddress: { en: 'Address', zh: '地址', ja: 'アドレス' },
  columnPlatform: { en: 'Platform', zh: '平台', ja: 'プラットフォーム' },
  columnOrganization: { en: 'Organization', zh: '组织', ja: '組織' },
  columnComment: { en: 'Comment', zh: '备注', ja: 'コメント' },
  columnUsername: { en: 'Username', zh: '用户名', ja: 'ユーザー名' },
  listFooter: {
    en: 'Page {page} of {pages}, {size} per page, {total} in total',
    zh: '第 {page}/{pages} 页，每页 {size} 项，共 {total} 项',
    ja: '{pages} ページ中 {page}、1 ページ {size} 件、全 {total} 件',
  },
  listTips: {
    en: 'Number: connect · n/b: page · /text: search · ?: help',
    zh: '序号：连接 · n/b：翻页 · /文字：搜索 · ?：帮助',
    ja: '番号:接続 · n/b:ページ · /文字:検索 · ?:ヘルプ',
  },
  listEmpty: { en: 'Nothing found.', zh: '没有找到。', ja: '見つかりません。' },
  refreshed: { en: 'Refreshed.', zh: '已刷新。', ja: '更新しました。' },
  chooseAccount: {
    en: 'Choose an account by its number; q goes back.',
    zh: '请输入账号序号，q 返回。',
    ja: 'アカウントを番号で選んでください。q で戻ります。',
  },
  chooseProtocol: {
    en: 'Choose a protocol by its number; q goes back.',
    zh: '请输入协议序号，q 返回。',
    ja: 'プロトコルを番号で選んでください。q で戻ります。',
  },
  notAChoice: { en: 'Not a valid choice.', zh: '输入无效。', ja: 'その番号はありません。' },
  noAccounts: {
    en: 'No usable account on {asset}.',
    zh: '{asset} 上没有可用账号。',
    ja: '{asset} に使えるアカウントがありません。',
  },
  askUsername: { en: 'Username: ', zh: '用户名: ', ja: 'ユーザー名: ' },
  askPassword: { en: 'Password: ', zh: '密码: ', ja: 'パスワード: ' },
  menuIdle: {
    en: 'No input for {minutes} {minutes|minute|minutes}: disconnected.',
    zh: '{minutes} 分钟内没有输入，再见。',
    ja: '{minutes} 分間入力がないため終了します。',
  },
})

/** Texts of the file manager. */
export const fileMessages = defineMessages({
  badRequest: { en: 'The request is not valid.', zh: '请求无效。', ja: 'リクエストが正しくありません。' },
  unauthenticated: { en: 'Sign in first.', zh: '请先登录。', ja: 'ログインしてください。' },
  notFound: {
    en: 'File or folder not found.',
    zh: '文件或目录不存在。',
    ja: 'ファイルまたはフォルダーがありません。',
  },
  exists: { en: 'A file with this name already exists.', zh: '同名文件已存在。', ja: '同じ名前のファイルがあります。' },
  tooLarge: { en: 'This part is too large.', zh: '分片过大。', ja: 'この部分は大きすぎます。' },
  offsetMismatch: {
    en: 'The upload offset does not match. Continue from the current offset.',
    zh: '上传进度不一致。',
    ja: 'アップロードの位置が一致しません。',
  },
  locked: { en: 'The session is paused.', zh: '会话已暂停。', ja: 'セッションは一時停止中です。' },
  ended: { en: 'The file session has ended.', zh: '文件会话已结束。', ja: 'ファイルセッションは終了しました。' },
  targetDenied: {
    en: 'The host does not allow this.',
    zh: '主机不允许此操作。',
    ja: 'ホストがこの操作を許可しません。',
  },
  targetFailed: {
    en: 'The host reported an error: {reason}',
    zh: '主机无法完成：{reason}',
    ja: 'ホストで失敗しました:{reason}',
  },
})
