"""What to do about each reason, in both languages. Unknown reasons come from cells and get the last row."""

from dataclasses import dataclass

from infx.blocker import Blocker, Owner
from infx.say.words import REASON, code, plain, some
from infx.verdict import Kind


@dataclass(frozen=True)
class Advice:
    """Next step; `{0}`, `{1}` are the blocker's names."""

    english: str
    chinese: str


RERUN = Advice("re-run the failed jobs of this run", "重新运行本次运行中失败的任务")
MEND = Advice(
    "mend the point that failed, then push or re-run the failed jobs",
    "修复失败的点，然后推送或重新运行失败的任务",
)
RELABEL = Advice(
    "remove the primary label and add it again; no commit is needed", "移除主标签后重新添加，无需新提交"
)

ADVICE = {
    "running": Advice("nothing to do, it is being measured", "无需操作，正在测量"),
    "run-again": Advice("nothing to do, it is run again", "无需操作，正在重新运行"),
    "infrastructure": Advice(
        "no fault of this change: the reason stands below; re-run the failed jobs once it is mended",
        "并非此改动的问题：原因见下文；修复后重新运行失败的任务",
    ),
    "not-yet": Advice("nothing to do, its turn comes", "无需操作，等待轮到它"),
    "waiting-for-runner": Advice("bring a runner with that label online", "让带有该标签的运行器上线"),
    "queue-expired": Advice(
        "it waited 24 h; free or add runners, then re-run the failed jobs",
        "已排队 24 小时；释放或增加运行器后重新运行失败的任务",
    ),
    "no-artifact": Advice(
        "the job left no record; look at its runner, then re-run the failed jobs",
        "任务没有留下记录；检查其运行器后重新运行失败的任务",
    ),
    "power": Advice(
        "its energy is required and is not there; read its power.json, then re-run the failed jobs",
        "该点必须有能耗数据，但没有；查看该点的 power.json 后重新运行失败的任务",
    ),
    "unreadable": RERUN,
    "stale": RERUN,
    "no-result": RERUN,
    "cancelled": RELABEL,
    "canary-failed": MEND,
    "fail-fast": MEND,
    "canary-timeout": Advice(
        "the canary reached its deadline; read its engine log, lower the load or mend the recipe",
        "金丝雀超时；查看引擎日志，降低负载或修复配方",
    ),
    "wrong-sha": Advice(
        "it measured another commit; re-run the failed jobs", "测量的是另一个提交；重新运行失败的任务"
    ),
    "wrong-identity": Advice(
        "it measured another point; report it as a bug of infx", "测量的是另一个点；请作为 infx 的缺陷报告"
    ),
    "wrong-fingerprint": Advice(
        "it executed something else than planned; push a commit to plan anew",
        "执行内容与计划不同；推送新提交以重新计划",
    ),
    "ambiguous-duplicate": Advice(
        "two values without an order; re-run the job of this point once",
        "存在两个无法排序的值；重新运行该点的任务一次",
    ),
    "no-cluster": Advice(
        "add a record of the runner to configs/clusters.yaml", "在 configs/clusters.yaml 中添加该运行器的记录"
    ),
    "clients-missing": Advice(
        "install the clients on the runner, then re-run", "在运行器上安装客户端后重新运行"
    ),
    "model-missing": Advice("stage the model on the runner, then re-run", "在运行器上准备好模型后重新运行"),
    "port-taken": Advice(
        "end what an earlier job left on the runner, then re-run",
        "结束先前任务在运行器上的残留进程后重新运行",
    ),
    "image-missing": Advice("name an image and tag that exist, then push", "填写存在的镜像与标签后推送"),
    "gpu-missing": Advice(
        "the runner shows too few GPUs; repair it, then re-run", "运行器可见的 GPU 不足；修复后重新运行"
    ),
    "runner-unclean": Advice(
        "remove from the runner what the record names, then re-run", "清理记录中列出的运行器残留后重新运行"
    ),
    "runner-poisoned": Advice(
        "the runner is taken out until its operator has mended it; re-run then, or wait for another runner",
        "该运行器在运维人员修复前不再接任务；修复后重新运行，或等待其他运行器",
    ),
    "launcher-failed": Advice(
        "Docker or Slurm refused; see the record, mend the runner, then re-run",
        "Docker 或 Slurm 拒绝执行；查看记录，修复运行器后重新运行",
    ),
    "node-lost": Advice("a node was lost; re-run the failed jobs", "节点已丢失；重新运行失败的任务"),
    "disk-full": Advice("free disk space on the runner, then re-run", "释放运行器磁盘空间后重新运行"),
    "clock-off": Advice("set the runner's clock, then re-run", "校准运行器的时钟后重新运行"),
    "clock-jumped": Advice(
        "the runner's clock was set; let it settle, then re-run", "运行器时钟被调整；待其稳定后重新运行"
    ),
    "interrupted": Advice(
        "the runner or the job was lost; re-run the failed jobs", "运行器或任务已丢失；重新运行失败的任务"
    ),
    "below-threshold": Advice(
        "accuracy is below its floor; mend the recipe and push", "精度低于阈值；修复配方后推送"
    ),
    "draft": Advice("mark it as ready for review when it is", "准备好后请标记为可评审"),
    "behind": Advice(
        "{0} has {1} commits that this branch lacks; `infx merge` brings it up to date",
        "{0} 上有 {1} 个提交不在此分支中；`infx merge` 会更新分支",
    ),
    "gate": Advice(
        "{1}; `infx changelog check` says the same on your machine, and `fix` writes the bytes that can be",
        "{1}；`infx changelog check` 可在本地复现，`fix` 可写入正确的字节",
    ),
    "no-sweep": Advice(
        "{0} points are not measured: set exactly one primary label",
        "{0} 个测点尚未测量：请设置恰好一个主标签",
    ),
    "reuse": Advice("{0}", "{0}"),
    "signoff": Advice("{0}", "{0}"),
    "upstream": Advice(
        "{0}: get the recipe's pull request merged there, or link its published page",
        "{0}：请先让上游合并该配方的拉取请求，或链接其已发布页面",
    ),
    "unapproved": Advice(
        "nobody has approved this pull request yet; one owner is enough", "尚无人批准；一位所有者批准即可"
    ),
    "changes-requested": Advice("{0} asks for changes", "{0} 要求修改"),
    "conflict": Advice("merge {0} into the branch and resolve the conflict", "将 {0} 合并到该分支并解决冲突"),
    "not-covered": Advice(
        "results are of {0}, the head is {1}: sweep the new head", "结果属于 {0}，当前提交为 {1}：请重新扫描"
    ),
}
OTHER = Advice("read the log of the job, mend the recipe and push", "查看任务日志，修复配方后推送")

OWNERS = {
    Owner.AUTHOR: ("author", "作者"),
    Owner.MAINTAINER: ("maintainer", "维护者"),
    Owner.OPERATOR: ("runner operator", "运行器管理员"),
    Owner.CODEOWNER: ("code owner", "代码所有者"),
    Owner.REVIEWER: ("reviewer", "评审者"),
    Owner.NOBODY: ("nobody", "无"),
}
NAMED = {
    *(
        "draft",
        "behind",
        "gate",
        "no-sweep",
        "reuse",
        "signoff",
        "upstream",
        "unapproved",
        "changes-requested",
    ),
    *("conflict", "not-covered"),
}
"""Kinds whose names are part of the sentence, not points."""
EVENTS = frozenset(map(str, Kind))
DECIDED = Advice("{0}", "{0}")
"""For the answers to an event, whose reason says what to do."""


def english(blocker: Blocker) -> str:
    """`**C4, C8** invalid(server-crash) · author: read the log …`."""
    return _line(blocker, language=0)


def chinese(blocker: Blocker) -> str:
    return _line(blocker, language=1)


def _line(blocker: Blocker, *, language: int) -> str:
    decided = blocker.kind in EVENTS and blocker.kind not in ADVICE
    advice = DECIDED if decided else ADVICE.get(blocker.kind, OTHER)
    names = [code(name, REASON) for name in blocker.names]
    todo = (advice.english, advice.chinese)[language].format(*names)
    owner = OWNERS[blocker.owner][language]
    what = plain(blocker.kind)
    if blocker.kind not in NAMED and not decided:
        what = f"**{some(blocker.names, ('and {} more', '等另外 {} 个')[language])}** {what}"
    return f"- {what} · {owner}: {todo}"
