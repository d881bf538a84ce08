import json, os, sys, time, urllib.request

pid, limit, what = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
U = "http://127.0.0.1:8000"


def post(path, body, t=20):
    q = urllib.request.Request(
        U + path,
        json.dumps({"model": "infx/dummy-8b", **body}).encode(),
        {"content-type": "application/json"},
    )
    return json.loads(urllib.request.urlopen(q, timeout=t).read())


b = time.time()
while True:
    try:
        a = post("/v1/completions", {"prompt": "1 + 1 =", "max_tokens": 1, "temperature": 0}, 5)
        break
    except Exception as e:
        if time.time() - b > limit or not os.path.exists(f"/proc/{pid}"):
            print("NOT READY", e)
            sys.exit(3)
        time.sleep(0.3)
print(what, "ready after", round(time.time() - b, 1), "s", a["usage"], a["choices"][0])
if what == "agentic":
    ms = []
    for t in range(3):
        ms.append({"role": "user", "content": " ".join(f"word{t}{i}" for i in range(200))})
        r = post(
            "/v1/chat/completions",
            {
                "messages": ms,
                "max_tokens": 32,
                "temperature": 0,
                "ignore_eos": True,
                "skip_special_tokens": False,
            },
        )
        ms.append({"role": "assistant", "content": r["choices"][0]["message"]["content"]})
        print(r["usage"])
